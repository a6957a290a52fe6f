import { hash } from 'node:crypto';
import type { TokenHasher } from '@plugin-config/domain';

/** A token is 256 bits of randomness: one round of hashing is enough, and there is nothing to salt. */
export function sha256TokenHasher(): TokenHasher {
  return { hash: (token) => hash('sha256', token, 'hex') };
}
