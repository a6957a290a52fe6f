import { columns } from '../postgres/columns.ts';
import { REGISTRATIONS } from '../plugin/plugin-columns.ts';
import { INFO_OF_RECORD, RECORD, recordOfId } from '../record/record-columns.ts';
import type { Statement } from '../postgres/statement.ts';
import { KEY } from './key-columns.ts';

/**
 * One row for each existing key, and one with the number of registrations of plugins and then the revisions of the
 * families in the order of the parameters, 0 for a missing family: many questions share few keys, and one short text is
 * parsed faster than many rows.
 */
export const ACCESS_TO_FAMILIES: Statement = {
  name: 'access_to_families',
  text: `select ${KEY.sql}, null from api_key k where k.hash = any ($1::text[])
  union all
  select ${KEY.names.map(() => 'null').join(', ')}, ${REGISTRATIONS} || ',' || array_to_string(array(
    select (select f.revision from config_family f where f.project_id = q.project and f.family = q.family)
    from unnest($2::bigint[], $3::text[]) with ordinality as q (project, family, number) order by q.number
  ), ',', '0')`,
};

export const GRANTS: Statement = {
  name: 'grants',
  text: `select ${KEY.sql} from api_key k where k.id = any ($1::bigint[])`,
};

/** The answer to a question; follows the columns of the key. */
export const ANSWER = columns((row) => ({
  number: row.number('q.number'),
  projectId: row.numberOrNull('p.id'),
  revision: row.number('f.revision'),
  registrations: row.number(REGISTRATIONS),
  record: row.allOrNull(RECORD),
}));

/** One row for each question, by its number. Project 0 stands for the lowest one that the key may see. */
export const ACCESS: Statement = {
  name: 'access',
  text: `select k.*, ${ANSWER.sql}
  from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) with ordinality as q (hash, project, family, record, number)
  left join lateral (select ${KEY.sql} from api_key k where k.hash = q.hash limit 1) k on true
  left join lateral (
    select p.id from project p
    where p.id = case
      when q.project is distinct from 0 then q.project
      when k.projects is not null then split_part(k.projects, ',', 1)::bigint
      when k.id is not null then (select min(project.id) from project)
    end limit 1
  ) p on true
  left join lateral (
    select f.revision from config_family f where f.project_id = p.id and f.family = q.family limit 1
  ) f on true
  left join ${recordOfId('q.record')} on r.project_id = p.id and r.family = q.family
  left join ${INFO_OF_RECORD} on true`,
};
