import type { ErrorMessage } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt, textAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';
import { lockFamilies } from './lock-families.ts';

const REPORTED = 'unnest($1::bigint[], $2::text[]) t (record_id, error)';

const FIND_CHANGED: Statement = {
  name: 'find_changed_errors',
  text: `select r.project_id, r.family
  from ${REPORTED} join config_record r on r.id = t.record_id
  where r.error is distinct from t.error
  group by r.project_id, r.family`,
};

const REPORT: Statement = {
  name: 'report_errors',
  text: `with changed as (
    update config_record r set error = t.error
    from ${REPORTED}
    where r.id = t.record_id and r.error is distinct from t.error
    returning r.project_id, r.family
  )
  update config_family f set revision = f.revision + 1
  from (select distinct project_id, family from changed) c
  where f.project_id = c.project_id and f.family = c.family`,
};

/** What the records show from now on. Families whose records show the same as before are left alone. */
export async function reportErrors(client: pg.ClientBase, messages: readonly ErrorMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const last = new Map(messages.map(({ recordId, error }) => [recordId, error]));
  const reported = [[...last.keys()], [...last.values()]];
  const changed = await run(client, FIND_CHANGED, reported);
  const families = changed.map((row) => ({ projectId: numberAt(row, 0), family: textAt(row, 1) }));
  if (families.length === 0) return;
  await lockFamilies(client, families);
  await run(client, REPORT, reported);
}
