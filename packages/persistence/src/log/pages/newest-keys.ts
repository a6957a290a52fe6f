import type { EntryKey, LogFilter, LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import type { Kinds } from '../entries/wanted-kinds.ts';
import { clampMoment } from './clamp-moment.ts';
import { KEY } from './entry-columns.ts';
import { readKeys } from './read-entries.ts';

/** Reads the keys of the newest entries from an index. */
export async function newestKeys(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  { filter: { after, before }, limit }: { readonly filter: LogFilter; readonly limit: number },
): Promise<readonly EntryKey[]> {
  const rows = await readKeys(client, {
    record,
    kinds,
    to: clampMoment(before?.getTime() ?? Infinity),
    earliest: clampMoment((after?.getTime() ?? -Infinity) + 1),
    skip: 0,
    limit,
  });
  return rows.map((row) => KEY.read(row));
}
