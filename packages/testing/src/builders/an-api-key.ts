import type { Author, NewApiKey } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';
import { anAuthor, MOMENT, secondsLater } from './an-author.ts';

/** Creates a hash with the length of a hexadecimal SHA-256. */
export function aKeyHash(n: number): string {
  return n.toString(16).padStart(64, '0');
}

export function anApiKey(given: Partial<NewApiKey> = {}): NewApiKey {
  return {
    accountId: null,
    label: 'Key',
    scopes: ['plugin:read'],
    projectIds: [],
    pluginIds: [],
    createdAt: MOMENT,
    expiresAt: null,
    hash: aKeyHash(1),
    ...given,
  };
}

/** Returns an author whose key has been revoked. */
export async function revokedAuthor({ keys }: Pick<Ports, 'keys'>): Promise<Author> {
  const { id, label } = await keys.add(anApiKey(), anAuthor());
  await keys.revoke(id, null, anAuthor({ at: secondsLater(1) }));
  return anAuthor({ actor: { keyId: id, label }, at: secondsLater(2) });
}
