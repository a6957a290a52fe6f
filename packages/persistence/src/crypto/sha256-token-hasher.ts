import { hash } from 'node:crypto';
import type { TokenHasher } from '@plugin-config/domain';

/** Hashes once and without salt: a token has 256 random bits. */
export function sha256TokenHasher(): TokenHasher {
  return { hash: (token) => hash('sha256', token, 'hex') };
}
