import type { RunningService } from './running-service.ts';
import type { Tenant } from './tenant.ts';

/** Adds plugin configs past the API: the nth one attaches plugin n, at position n. `config` is SQL over `n`. */
export async function fillFamily(
  { rows }: RunningService,
  { projectId }: Tenant,
  { records, config = `'{}'` }: { readonly records: number; readonly config?: string },
): Promise<void> {
  await rows(
    `insert into config_record (
      project_id, family, plugin, enabled, "position", name, description, config, secrets, error, delivery_rate, deleted,
      created_at, updated_at, version
    )
    select $1, 'plugin_configs', n, false, n, null, null, ${config}, '{}', null, null, false, now(), now(), 1
    from generate_series(1, $2::integer) n`,
    [projectId, records],
  );
  await rows(`analyze config_record`);
}
