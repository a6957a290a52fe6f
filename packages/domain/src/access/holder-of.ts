import type { KeyGrant } from './api-key.ts';

/**
 * Names who holds what callers share: a project, below 0, where the key is bound to just one, so that many keys of a
 * tenant count as one; else the key, above 0.
 */
export function holderOf({ id, projectIds: [project, another] }: KeyGrant): number {
  return project === undefined || another !== undefined ? id : -project;
}
