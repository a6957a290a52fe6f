import { timingSafeEqual } from 'node:crypto';
import type { KeyGrant, Scope } from '@plugin-config/domain';
import { dateOrNullAt, numberAt, textAt, textOrNullAt } from '../postgres/cells.ts';
import type { Cells } from '../postgres/statement.ts';

/** Where the row tells the hash of its key. */
export const HASH = 1;

/** The grant of the key with this hash, where the row begins with it. */
export function grantOrNullIn(row: Cells, keyHash: string): KeyGrant | null {
  if (row[0] === null || !isSame(keyHash, textAt(row, HASH))) return null;
  return {
    id: numberAt(row, 0),
    label: textAt(row, 2),
    scopes: textAt(row, 3).split(',') as Scope[],
    projectIds: textOrNullAt(row, 4)?.split(',').map(Number) ?? [],
    expiresAt: dateOrNullAt(row, 5),
    revokedAt: dateOrNullAt(row, 6),
  };
}

function isSame(asked: string, found: string): boolean {
  return asked.length === found.length && timingSafeEqual(Buffer.from(asked), Buffer.from(found));
}
