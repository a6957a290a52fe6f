import { projectIdsOf, type ExternalRef } from '@plugin-config/domain';
import type { Services } from '../container.ts';

/**
 * Returns the ids of projects.
 * @throws an error if one does not exist
 */
export async function existingProjectIds(
  { projects }: Pick<Services, 'projects'>,
  wanted: readonly (number | ExternalRef)[],
): Promise<readonly number[]> {
  const ids = await projectIdsOf({ projects }, wanted);
  for (const [i, id] of ids.entries())
    if ((await projects.find(id)) === null) throw new Error(`Project ${wanted[i]} does not exist.`);
  return ids;
}
