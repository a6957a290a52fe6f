import { INFO_OF_RECORD, RECORD_COLUMNS, recordOfId } from '../config-record/record-columns.ts';
import type { Statement } from '../statement.ts';

/** The key of a question `q`. Looked up by its index one by one, whatever the tables hold. */
const KEY = `lateral (
    select k.id, k.hash, k.label, k.expires_at, k.revoked_at, array_to_string(k.scopes, ',') as scopes,
      (select string_agg(b.project_id::text, ',' order by b.project_id) from api_key_project b where b.key_id = k.id) as projects
    from api_key k where k.hash = q.hash limit 1
  ) k`;

const GRANT = 'q.number, k.id, k.hash, k.label, k.scopes, k.projects, k.expires_at, k.revoked_at';

/**
 * One row for each key, by its number, and in the first of them the revisions of all the families, 0 for one that
 * is not there: many questions are about few keys, and a short text is sooner read than many rows.
 */
export const ACCESS_TO_FAMILIES: Statement = {
  name: 'access_to_families',
  text: `select ${GRANT}, case when q.number = 1 then (
    select string_agg(coalesce(f.revision, 0)::text, ',' order by q.number)
    from unnest($2::bigint[], $3::text[]) with ordinality as q (project, family, number)
    left join lateral (
      select f.revision from config_family f where f.project_id = q.project and f.family = q.family limit 1
    ) f on true
  ) end
  from unnest($1::text[]) with ordinality as q (hash, number)
  left join ${KEY} on true`,
};

/** One row for each question, by its number. A project of 0 is the lowest that the key may see. */
export const ACCESS: Statement = {
  name: 'access',
  text: `select ${GRANT}, p.id, f.revision, ${RECORD_COLUMNS}
  from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) with ordinality as q (hash, project, family, record, number)
  left join ${KEY} on true
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
