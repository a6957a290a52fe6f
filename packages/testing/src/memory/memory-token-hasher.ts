import type { TokenHasher } from '@plugin-config/domain';

const LANES = 8;
const PRIME = 0x01000193;

/** Hashes deterministically to the length of a SHA-256 hash, but not securely. */
export function memoryTokenHasher(): TokenHasher {
  return {
    hash: (token) => Array.from({ length: LANES }, (_, lane) => lanehash(token, lane)).join(''),
  };
}

function lanehash(text: string, lane: number): string {
  let hash = 0x811c9dc5 ^ lane;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), PRIME);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
