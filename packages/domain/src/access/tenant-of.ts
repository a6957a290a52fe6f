import type { KeyGrant } from './api-key.ts';

/**
 * The tenant that a shared limit counts for this key: the project (a negative number) if the key is bound to exactly
 * one, so that all keys of a tenant count as one; otherwise the key (a positive number).
 */
export function tenantOf({ id, projectIds: [project, another] }: KeyGrant): number {
  return project === undefined || another !== undefined ? id : -project;
}
