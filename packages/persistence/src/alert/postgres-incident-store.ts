import {
  COUNTED_MAX,
  SERVICE,
  type IncidentFilter,
  type IncidentStore,
  type NamedIncident,
} from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import type { Parameter } from '../postgres/statement.ts';
import { pluginSubject, PROJECT_SUBJECT, RECORD_SUBJECT } from '../project/subject-columns.ts';
import { INCIDENT } from './alert-columns.ts';

const PLUGIN_SUBJECT = pluginSubject('i.plugin');

const NAMED = columns((row): NamedIncident => ({
  ...row.all(INCIDENT),
  project: row.allOrNull(PROJECT_SUBJECT),
  record: row.allOrNull(RECORD_SUBJECT),
  plugin: row.allOrNull(PLUGIN_SUBJECT),
}));

const LISTED = columns((row) => ({
  item: row.allOrNull(NAMED),
  count: row.number('(select count(*) from counted)'),
}));

export function postgresIncidentStore({ pool }: Pick<StoreDatabase, 'pool'>): IncidentStore {
  return {
    page: (projectId, filter, { limit, offset }) => {
      const parameters: Parameter[] = [limit, offset];
      const parameter = (value: Parameter) => `$${parameters.push(value)}`;
      const ofProject =
        projectId === null
          ? `(i.project_id = ${SERVICE} or exists (select from project p where p.id = i.project_id))`
          : `i.project_id = ${parameter(projectId)}`;
      // Unnamed, because each filter needs a different index.
      const text = `with matching as not materialized (
    select i.* from incident i where ${ofProject}${matchesOf(filter, parameter)}
  ),
  counted as (select from matching${projectId === null ? ` limit ${COUNTED_MAX}` : ''})
  select ${LISTED.sql}
  from (select) one
  left join (select * from matching m order by m.is_open desc, m.id desc limit $1 offset $2) i on true
  left join project p on p.id = i.project_id
  left join config_record r on r.id = i.record_id
  left join plugin g on g.id = i.plugin
  order by i.is_open desc, i.id desc`;
      return readPage(pool, { statement: { name: '', text }, listed: LISTED }, parameters);
    },
  };
}

function matchesOf(
  { alertId, recordId, plugin, open }: IncidentFilter,
  parameter: (value: Parameter) => string,
): string {
  const conditions = [
    alertId === null ? '' : ` and i.alert_id = ${parameter(alertId)}`,
    recordId === null ? '' : ` and i.record_id = ${parameter(recordId)}`,
    plugin === null ? '' : ` and i.plugin = ${parameter(plugin)}`,
    open === null ? '' : ` and i.is_open = ${parameter(open)}`,
  ];
  return conditions.join('');
}
