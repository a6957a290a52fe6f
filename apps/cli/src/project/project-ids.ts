import { EXTERNAL_PREFIX, type ExternalRef } from '@plugin-config/domain';
import type { Services } from '../container.ts';

/**
 * Returns the ids of projects.
 * @throws an error if one does not exist
 */
export async function projectIdsOf(
  { projects }: Pick<Services, 'projects'>,
  wanted: readonly (number | ExternalRef)[],
): Promise<readonly number[]> {
  const externalIds = wanted.flatMap((ref) => (typeof ref === 'string' ? externalIdIn(ref) : []));
  const found = await projects.idsOf(externalIds);
  const ids = wanted.map((ref) => (typeof ref === 'string' ? found.get(externalIdIn(ref)) : ref));
  for (const [i, id] of ids.entries())
    if (id === undefined || (await projects.find(id)) === null)
      throw new Error(`Project ${wanted[i]} does not exist.`);
  return ids.flatMap((id) => id ?? []);
}

const externalIdIn = (ref: ExternalRef): string => ref.slice(EXTERNAL_PREFIX.length);
