import type { KeyGrant } from './api-key.ts';

/**
 * The holder that a shared limit counts for this key: the project (a negative number) if the key is bound to exactly
 * one, so that all keys of a tenant count as one; otherwise the key (a positive number).
 */
export function holderOf({ id, projectIds: [project, another] }: KeyGrant): number {
  return project === undefined || another !== undefined ? id : -project;
}
