import type { Author } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';
import { anApiKey } from './an-api-key.ts';
import { anAuthor, secondsLater } from './an-author.ts';

/** An author whose key was revoked meanwhile. */
export async function revokedAuthor({ keys }: Pick<Ports, 'keys'>): Promise<Author> {
  const { id, label } = await keys.add(anApiKey(), anAuthor());
  await keys.revoke(id, null, anAuthor({ at: secondsLater(1) }));
  return anAuthor({ actor: { keyId: id, label }, at: secondsLater(2) });
}
