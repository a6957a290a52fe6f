import type { IncidentFilter, IncidentStore } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import type { Parameter } from '../postgres/statement.ts';
import { INCIDENT } from './alert-columns.ts';

const LISTED = columns((row) => ({
  item: row.allOrNull(INCIDENT),
  count: row.number('(select count(*) from matching)'),
}));

export function postgresIncidentStore({ pool }: Pick<StoreDatabase, 'pool'>): IncidentStore {
  return {
    page: (projectId, filter, { limit, offset }) => {
      const parameters: Parameter[] = [projectId, limit, offset];
      const matches = matchesOf(filter, (value) => `$${parameters.push(value)}`);
      // Unnamed, because each filter needs a different index.
      const text = `with matching as not materialized (
    select i.* from incident i where i.project_id = $1${matches}
  )
  select ${LISTED.sql}
  from (select) one
  left join (select * from matching m order by m.is_open desc, m.id desc limit $2 offset $3) i on true
  order by i.is_open desc, i.id desc`;
      return readPage(pool, { statement: { name: '', text }, listed: LISTED }, parameters);
    },
  };
}

function matchesOf(
  { alertId, recordId, open }: IncidentFilter,
  parameter: (value: Parameter) => string,
): string {
  const conditions = [
    alertId === null ? '' : ` and i.alert_id = ${parameter(alertId)}`,
    recordId === null ? '' : ` and i.record_id = ${parameter(recordId)}`,
    open === null ? '' : ` and i.is_open = ${parameter(open)}`,
  ];
  return conditions.join('');
}
