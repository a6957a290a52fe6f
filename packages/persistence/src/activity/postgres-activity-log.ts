import type { Activity, ActivityEntry, ActivityLog, FieldChange } from '@plugin-config/domain';
import { dateAt, numberAt, numberOrNullAt, textAt, textOrNullAt } from '../postgres/cells.ts';
import type { Database } from '../postgres/database.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';

/** Without a name: histories differ so much in length that each page is planned for its own. */
const ACTIVITY_PAGE: Statement = {
  name: '',
  text: `with own as (
    select from config_record r where r.id = $1 and r.project_id = $2 and r.family = $3
  )
  select (select count(*) from activity a where a.record_id = $1 and exists (select from own)),
    a.id, a.activity, a.created_at, a.actor_key_id, a.actor_label, a.request_id, a.changes, a.more
  from (select) one
  left join ${rowsThatFit({
    from: `(
      select * from activity a where a.record_id = $1 and exists (select from own) order by a.id desc limit $4 offset $5
    )`,
    order: 'p.id desc',
    bytes: 'p.changes_bytes',
  })} a on true
  order by a.id desc`,
};

export function postgresActivityLog({ pool, paged }: Pick<Database, 'pool' | 'paged'>): ActivityLog {
  return {
    page: async ({ projectId, family, id }, { limit, offset }) => {
      const parameters = [id, projectId, family, limit, offset];
      const rows = await paged(projectId, () => run(pool, ACTIVITY_PAGE, parameters));
      const [first = []] = rows;
      return { count: numberAt(first, 0), items: first[1] === null ? [] : rows.map(entryOf) };
    },
  };
}

function entryOf(cells: Cells): ActivityEntry {
  const keyId = numberOrNullAt(cells, 4);
  const more = numberAt(cells, 8);
  return {
    id: numberAt(cells, 1),
    activity: textAt(cells, 2) as Activity,
    at: dateAt(cells, 3),
    actor: { keyId, label: textAt(cells, 5) },
    requestId: textOrNullAt(cells, 6),
    changes: JSON.parse(textAt(cells, 7)) as readonly FieldChange[],
    ...(more > 0 && { more }),
  };
}
