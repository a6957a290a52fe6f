import { externalIdIn } from '@plugin-config/contract';
import type { ProjectStore } from '@plugin-config/domain';

export interface ProjectLookup {
  readonly projects: Pick<ProjectStore, 'idsOf'>;
}

const NO_IDS: ReadonlyMap<string, number> = new Map();
/** The id of no project, which is rejected like any other that does not exist. */
export const NO_PROJECT = 0;

/** Returns the ids of projects, which may be given by their external ids. */
export async function projectIdsIn(
  { projects }: ProjectLookup,
  refs: readonly (number | string)[],
): Promise<readonly number[]> {
  const externalIds = refs.flatMap((ref) => (typeof ref === 'string' ? (externalIdIn(ref) ?? []) : []));
  const found = externalIds.length === 0 ? NO_IDS : await projects.idsOf(externalIds);
  return refs.map((ref) =>
    typeof ref === 'string' ? (found.get(externalIdIn(ref) ?? '') ?? NO_PROJECT) : ref,
  );
}
