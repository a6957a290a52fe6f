import type { KeyGrant } from '../access/api-key.ts';

/**
 * Whose dead letter a message becomes: that of a project, of a key that is not bound to exactly one project, or of a source
 * that needs no key. Nobody displaces the dead letters of another owner.
 */
export type MessageOwner = `project ${number}` | `key ${number}` | `source ${string}`;

/** The owner of what a key sends, unless it is about a record of another project that the key may write to. */
export function ownerOfKey({
  id,
  projectIds: [project, another],
}: Pick<KeyGrant, 'id' | 'projectIds'>): MessageOwner {
  return project === undefined || another !== undefined ? `key ${id}` : `project ${project}`;
}
