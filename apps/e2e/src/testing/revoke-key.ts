import type { RunningService } from './running-service.ts';
import type { Tenant } from './tenant.ts';

/** Revokes the key of a tenant. */
export async function revokeKey(
  { rows }: Pick<RunningService, 'rows'>,
  { projectId }: Tenant,
): Promise<void> {
  await rows('update api_key set revoked_at = now() where label = $1', [`key of project ${projectId}`]);
}
