import type { AttachedFilter, AttachedRecord, Family, Page, PageRequest } from '@plugin-config/domain';
import type pg from 'pg';
import { IS_OUTDATED } from '../configuration/plugin-columns.ts';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { PROJECT_SUBJECT, RECORD_SUBJECT } from '../project/subject-columns.ts';

const ATTACHED = columns((row): AttachedRecord => ({
  project: row.all(PROJECT_SUBJECT),
  family: row.text('r.family') as Family,
  record: row.all(RECORD_SUBJECT),
  enabled: row.flag('r.enabled'),
  valid: row.flag('not r.invalid'),
  outdated: row.flag(IS_OUTDATED),
}));

const COUNT = columns((row) => row.number('t.count'));

/** Each combination of filters is a separate statement with its own plan. Records of deleted projects have no family. */
export function attachedStatement({ projectIds, valid, outdated }: AttachedFilter): Statement {
  const ofProjects = projectIds.length === 0 ? '' : ' and r.project_id = any ($4::bigint[])';
  const marked = valid === null ? '' : ` and ${valid ? 'not ' : ''}r.invalid`;
  const old = outdated === null ? '' : ` and ${outdated ? '' : 'not '}${IS_OUTDATED}`;
  const matching = `config_record r join config_family f on f.project_id = r.project_id and f.family = r.family
    where r.plugin = $1 and not r.deleted${ofProjects}${marked}${old}`;
  return {
    name: `attached_records_${projectIds.length === 0 ? 'all' : 'some'}_${valid}_${outdated}`,
    text: `select ${COUNT.sql}, ${ATTACHED.sql}
  from (select count(*) from ${matching}) t
  left join (select r.* from ${matching} order by r.project_id, r.family, r.id limit $2 offset $3) r on true
  left join project p on p.id = r.project_id
  left join plugin g on g.id = r.plugin
  order by r.project_id, r.family, r.id`,
  };
}

export async function attachedRecords(
  pool: pg.Pool,
  plugin: number,
  filter: AttachedFilter,
  { limit, offset }: PageRequest,
): Promise<Page<AttachedRecord>> {
  const projects = filter.projectIds.length === 0 ? [] : [filter.projectIds];
  const rows = await run(pool, attachedStatement(filter), [plugin, limit, offset, ...projects]);
  return {
    count: rows[0] === undefined ? 0 : COUNT.read(rows[0]),
    items: rows.flatMap((row) => ATTACHED.readOrNull(row, COUNT.names.length) ?? []),
  };
}
