import type { Family, FamilyRef } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';
import { anAuthor } from './an-author.ts';

/** Creates an empty family in a new project. */
export async function aFamily(
  { projects }: Pick<Ports, 'projects'>,
  family: Family = 'plugin_configs',
): Promise<FamilyRef> {
  const { id: projectId } = await projects.create({ name: 'Project' }, anAuthor());
  return { projectId, family };
}
