import { timingSafeEqual } from 'node:crypto';
import type { KeyGrant, Scope } from '@plugin-config/domain';
import { dateOrNullAt, numberAt, textAt, textOrNullAt } from '../cells.ts';
import type { Cells } from '../statement.ts';

/** The grant of the key with this hash, where the row of its question holds one. */
export function grantOrNullAt(row: Cells, keyHash: string): KeyGrant | null {
  if (row[1] === null || !isSame(keyHash, textAt(row, 2))) return null;
  return {
    id: numberAt(row, 1),
    label: textAt(row, 3),
    scopes: textAt(row, 4).split(',') as Scope[],
    projectIds: textOrNullAt(row, 5)?.split(',').map(Number) ?? [],
    expiresAt: dateOrNullAt(row, 6),
    revokedAt: dateOrNullAt(row, 7),
  };
}

function isSame(asked: string, found: string): boolean {
  return asked.length === found.length && timingSafeEqual(Buffer.from(asked), Buffer.from(found));
}
