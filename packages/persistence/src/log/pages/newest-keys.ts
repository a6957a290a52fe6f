import type { EntryKey, LogFilter, LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { clampMoment } from './clamp-moment.ts';
import { KEY } from './entry-columns.ts';
import { readKeys } from './read-entries.ts';
import type { KindIndexes } from '../kinds/wanted-kinds.ts';

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Reads the keys of the newest entries from an index. */
export async function newestKeys(
  client: pg.ClientBase,
  record: LogRef,
  kindIndexes: KindIndexes,
  { filter: { after, before }, limit }: { readonly filter: LogFilter; readonly limit: number },
): Promise<readonly EntryKey[]> {
  const rows = await readKeys(client, {
    record,
    kindIndexes,
    bounds: { to: clampMoment((before?.getTime() ?? Infinity) - 1) + 1, lastId: LAST_ID },
    earliest: clampMoment((after?.getTime() ?? -Infinity) + 1),
    skip: 0,
    limit,
  });
  return rows.map((row) => KEY.read(row));
}
