import { CONFIG_FIELD } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';

const MOST_ENTRIES = 200;
const MOST_BYTES = 2 * 1024 * 1024;

/** Masks fields in the next entries of the given records, and answers the last entry that it looked at. */
export const MASK_PORTION: Statement = {
  name: 'mask_history_portion',
  text: `with portion as materialized (
    select a.record_id, a.id from (
      select a.record_id, a.id, sum(a.changes_bytes) over (order by a.record_id, a.id) - a.changes_bytes as ahead
      from (
        select a.record_id, a.id, a.changes_bytes from activity a
        where a.record_id = any ($1::bigint[]) and (a.record_id, a.id) > ($3::bigint, $4::bigint)
        order by a.record_id, a.id limit ${MOST_ENTRIES}
      ) a
    ) a where a.ahead < ${MOST_BYTES}
  ),
  masked as (
    update activity a set changes = mask_changes(a.changes, $2::text[])
    from portion p
    where a.id = p.id and a.activity = 'config_updated' and changes_tell(a.changes, $2::text[])
  )
  select p.record_id, p.id from portion p order by p.record_id desc, p.id desc limit 1`,
};

/** Masks entries of configurations in all that the history of the records tells, in portions that hold no family. */
export async function maskHistory(
  pool: pg.Pool,
  records: readonly number[],
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0 || records.length === 0) return;
  const fields = keys.map((key) => JSON.stringify(CONFIG_FIELD + key));
  for (let after = [0, 0]; ;) {
    const [last] = await run(pool, MASK_PORTION, [records, fields, ...after]);
    if (last === undefined) return;
    after = [numberAt(last, 0), numberAt(last, 1)];
  }
}
