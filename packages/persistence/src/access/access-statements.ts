import { INFO_OF_RECORD, RECORD_COLUMNS, recordOfId } from '../config-record/record-columns.ts';
import type { Statement } from '../statement.ts';

/** Every request waits for this one: better an early refusal than a late answer. */
const TIMEOUT = 3_000;

/**
 * One row for each question, by its number. A project of 0 is the lowest that the key may see. The lateral
 * selections are looked up by their indexes one by one, whatever the tables hold.
 */
const FROM_QUESTIONS = `
  from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) with ordinality as q (hash, project, family, record, number)
  left join lateral (
    select k.id, k.hash, k.label, k.expires_at, k.revoked_at, array_to_string(k.scopes, ',') as scopes,
      (select string_agg(b.project_id::text, ',' order by b.project_id) from api_key_project b where b.key_id = k.id) as projects
    from api_key k where k.hash = q.hash limit 1
  ) k on true
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
  ) f on true`;

const ANSWER =
  'q.number, k.id, k.hash, k.label, k.scopes, k.projects, k.expires_at, k.revoked_at, p.id, f.revision';

export const ACCESS: Statement = {
  name: 'access',
  timeoutMs: TIMEOUT,
  text: `select ${ANSWER}${FROM_QUESTIONS}`,
};

export const ACCESS_TO_RECORD: Statement = {
  name: 'access_to_record',
  timeoutMs: TIMEOUT,
  text: `select ${ANSWER}, ${RECORD_COLUMNS}${FROM_QUESTIONS}
  left join ${recordOfId('q.record')} on r.project_id = p.id and r.family = q.family
  left join ${INFO_OF_RECORD} on true`,
};
