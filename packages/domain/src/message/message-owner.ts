import type { KeyGrant } from '../access/api-key.ts';

/**
 * Whose dead letter a message becomes: that of a project, of the account of a key that is not bound to exactly one project, or
 * of a source that needs no key. Nobody displaces the dead letters of another owner.
 */
export type MessageOwner = `project ${number}` | `account ${number}` | `source ${string}`;

/** The owner of what a key sends, unless it is about a record of another project that the key may write to. */
export function ownerOfKey({
  accountId,
  projectIds: [project, another],
}: Pick<KeyGrant, 'accountId' | 'projectIds'>): MessageOwner {
  return project === undefined || another !== undefined ? `account ${accountId}` : `project ${project}`;
}
