import { EXTERNAL_PREFIX } from '../vocabulary/vocabulary.ts';
import type { ProjectStore } from './project.ts';

export interface ProjectLookup {
  readonly projects: Pick<ProjectStore, 'idsOf'>;
}

/** The id of no project, which is rejected like any other that does not exist. */
export const NO_PROJECT = 0;

const externalIdIn = (ref: string): string => ref.slice(EXTERNAL_PREFIX.length);

/** Returns the ids of projects, which may be given as `ext:` and an external id. */
export async function projectIdsOf(
  { projects }: ProjectLookup,
  refs: readonly (number | string)[],
): Promise<readonly number[]> {
  const externalIds = refs.flatMap((ref) => (typeof ref === 'string' ? externalIdIn(ref) : []));
  const found = externalIds.length === 0 ? null : await projects.idsOf(externalIds);
  return refs.map((ref) => (typeof ref === 'string' ? (found?.get(externalIdIn(ref)) ?? NO_PROJECT) : ref));
}
