import { EXTERNAL_PREFIX, type AccessQuery, type AccessResult, type ProjectRef } from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { REGISTRY_VERSION } from '../configuration/registrations.ts';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { INFO_OF_RECORD, RECORD, recordOfId } from '../record/record-columns.ts';
import { grantOf, KEY } from './key-columns.ts';

/** The columns of a result after the columns of the key. */
const RESULT = columns((row) => ({
  number: row.number('q.number'),
  projectId: row.numberOrNull('p.id'),
  familyVersion: row.number('f.family_version'),
  registryVersion: row.number(REGISTRY_VERSION),
  record: row.allOrNull(RECORD),
}));

/** Returns one row for each query, with its number. Project 0 means the lowest project that the key may see. */
export const ACCESS = prepared('access')`select k.*, ${RESULT.sql}
  from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) with ordinality
    as q (hash, project, family, record, external_id, number)
  left join lateral (select ${KEY.sql} from api_key k where k.hash = q.hash limit 1) k on true
  left join lateral (
    select p.id from project p
    where p.id = case
      when q.external_id is not null then (select e.id from project e where e.external_id = q.external_id)
      when q.project is distinct from 0 then q.project
      when k.projects is not null then k.projects[1]
      when k.id is not null then (select min(project.id) from project)
    end limit 1
  ) p on true
  left join lateral (
    select f.family_version from config_family f where f.project_id = p.id and f.family = q.family limit 1
  ) f on true
  left join ${recordOfId('q.record')} on r.project_id = p.id and r.family = q.family
  left join ${INFO_OF_RECORD} on true`;

/** Requests the lowest project that the key may see; no project has this id. */
const LOWEST = 0;

/** Runs queries of every kind. */
export async function queryAccess(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  queries: readonly AccessQuery[],
): Promise<readonly AccessResult[]> {
  const rows = await run(pool, ACCESS, [
    queries.map(({ keyHash }) => keyHash),
    queries.map(({ project }) => projectParameter(project)),
    queries.map(({ family }) => family),
    queries.map(({ recordId }) => recordId),
    queries.map(({ project }) => externalIdOf(project)),
  ]);
  const read = rows.map((row) => ({ row, ...RESULT.read(row, KEY.names.length) }));
  const stored = read.flatMap(({ record }) => record ?? []);
  const masked = (await configurations.mask(pool, stored)).values();
  const results = new Array<AccessResult>(rows.length);
  for (const { row, number, projectId, familyVersion, registryVersion, ...found } of read) {
    const record = found.record && (masked.next().value ?? null);
    const query = queries[number - 1];
    if (query === undefined) continue;
    const key = grantOf(KEY.readOrNull(row), query.keyHash);
    results[number - 1] = { key, projectId, familyVersion, registryVersion, record };
  }
  return results;
}

function projectParameter(project: ProjectRef | null): number | null {
  if (project === 'current') return LOWEST;
  return project === LOWEST || typeof project === 'string' ? null : project;
}

function externalIdOf(project: ProjectRef | null): string | null {
  return typeof project === 'string' && project !== 'current' ? project.slice(EXTERNAL_PREFIX.length) : null;
}
