import { utf8Length } from '@plugin-config/domain';
import type pg from 'pg';
import { retryWhenBusy } from '../postgres/busy.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The bytes of keys that are stored within a fraction of a second, in both tables. */
const MAX_BYTES = 2 * 1024 * 1024;

const NOTE_KEYS: Statement = { name: 'note_keys', text: 'select note_keys($1, $2)' };

/** Notes that the histories and editions of these records are to be masked for these keys. */
export async function noteKeys(
  pool: pg.Pool,
  records: readonly number[],
  keys: readonly string[],
): Promise<void> {
  const portion = Math.max(1, Math.floor(MAX_BYTES / utf8Length(JSON.stringify(keys))));
  for (let from = 0; keys.length > 0 && from < records.length; from += portion) {
    await retryWhenBusy(() => run(pool, NOTE_KEYS, [records.slice(from, from + portion), keys]));
  }
}
