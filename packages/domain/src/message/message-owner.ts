import type { KeyGrant } from '../access/api-key.ts';

/**
 * The owner of a message's dead letter: a project, the account of a key that is not bound to exactly one project, or
 * a source without keys. Owners cannot displace each other's dead letters.
 */
export type MessageOwner = `project ${number}` | `account ${number}` | `source ${string}`;

/**
 * Returns the owner of messages sent with this key, unless they are about a record of another project that it may
 * write to.
 */
export function ownerOfKey({
  accountId,
  projectIds: [project, another],
}: Pick<KeyGrant, 'accountId' | 'projectIds'>): MessageOwner {
  return project === undefined || another !== undefined ? `account ${accountId}` : `project ${project}`;
}
