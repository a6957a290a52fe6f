import type { RunningService } from './running-service.ts';
import type { Tenant } from './tenant.ts';

/** Locks the plugin configs of a tenant, as a long transaction would. Resolves when they are free again. */
export async function lockFamily(
  { rows }: RunningService,
  { projectId }: Tenant,
  seconds: number,
): Promise<void> {
  await rows(
    `select pg_sleep($2) from (
      select from config_family where project_id = $1 and family = 'plugin_configs' for update
    ) family`,
    [projectId, seconds],
  );
}
