import type { EntryKey, LogFilter, LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../../postgres/columns.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import type { Kinds } from '../entries/kinds.ts';
import { OWN_LOG } from '../own-log.ts';
import { countFrom } from './count-from.ts';

const COUNT_AT_MOMENT: Statement = {
  name: 'count_log_entries_at_moment',
  text: `select count(*)
  from log_entry
  where record_id = $1 and ${OWN_LOG('$1', '$5')} and timestamp = $2::timestamptz and id > $3::uuid
    and ($4::integer[] is null or kind = any ($4::integer[]))`,
};

/** Counts the matches that precede this entry in a listing, using the counters, and the index for equal times. */
export async function countBefore(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  { filter, key: { timestamp, id } }: { readonly filter: LogFilter; readonly key: EntryKey },
): Promise<number> {
  const count = (from: number): Promise<number> => countFrom(client, record, kinds, from);
  const tooNew = filter.before === null ? 0 : await count(filter.before.getTime());
  const newer = await count(timestamp.getTime() + 1);
  const parameters = [record.id, timestamp.toISOString(), id, kinds, record.projectId];
  const [row] = await run(client, COUNT_AT_MOMENT, parameters);
  return newer - tooNew + (row === undefined ? 0 : numberAt(row, 0));
}
