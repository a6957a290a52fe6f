import type { EntryKey, LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { run, type Statement } from '../../postgres/statement.ts';
import { translateTimeout } from '../../postgres/translate-error.ts';
import { OWN_LOG } from '../own-log.ts';
import { KEY } from '../entries/entry-columns.ts';

/** Scans the keys of the log in the index, newest first. An index by id would slow down every insert. */
const FIND_KEY: Statement = {
  name: 'find_log_key',
  text: `select ${KEY.sql}
  from log_entry
  where record_id = $1 and ${OWN_LOG('$1', '$2')} and id = $3::uuid
  order by record_id desc, timestamp desc, id desc limit 1`,
};

/** Finds the key of the newest entry with this id, within a time limit. */
export async function findKey(client: pg.ClientBase, record: LogRef, id: string): Promise<EntryKey | null> {
  const [row] = await run(client, FIND_KEY, [record.id, record.projectId, id]).catch(
    translateTimeout('timestamp', 'Finding the entry takes too long; give its timestamp.'),
  );
  return row === undefined ? null : KEY.read(row);
}
