import { createHash } from 'node:crypto';
import { FUNCTIONS } from '../functions/index.ts';
import type { Migration } from './index.ts';

/** The checksum of what a migration does, without the functions that it loads: later migrations may change those. */
export function checksumOf({ statements }: Pick<Migration, 'statements'>): string {
  return checksum(statements.filter((text) => !FUNCTIONS.includes(text)));
}

/** The checksum of the current version of every function. */
export const FUNCTIONS_CHECKSUM = checksum(FUNCTIONS);

function checksum(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
