import type { Family, RecordRef, UpgradeCandidate } from '@plugin-config/domain';
import { readingPauses } from '@plugin-config/flow/node';
import { storedValues } from '../configuration/configurations.ts';
import { readDataKeys } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { jsonSchemas } from '../json-schema/ajv-json-schemas.ts';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { PROJECT_SUBJECT, RECORD_SUBJECT } from '../project/subject-columns.ts';
import { nextOfPlugin } from './next-of-plugin.ts';

/** Small, since the records of a chunk are judged without a pause. */
const CHUNK_RECORDS = 50;
const CHUNK_BYTES = 128 * 1024;

const CANDIDATE = columns((row) => ({
  record: {
    projectId: row.number('r.project_id'),
    family: row.text('r.family') as Family,
    id: row.number('r.id'),
    enabled: row.flag('r.enabled'),
    schemaVersion: row.number('r.schema_version'),
    pinnedVersion: row.textOrNull('r.pinned_version'),
  },
  subject: row.all(RECORD_SUBJECT),
  project: row.all(PROJECT_SUBJECT),
  config: row.textOrNull('r.config'),
  secretNames: row.texts(
    'array(select unnest(f.secret_names) from plugin f where f.id = g.id or f.id = any (r.former_plugins))',
  ),
}));

/** Reads the live records of a plugin after one of them. Records of deleted projects have no family. */
const READ_CANDIDATES = prepared('read_upgrade_candidates')`select ${CANDIDATE.sql}
  from ${nextOfPlugin({
    where:
      'not c.deleted and exists (select from config_family f where f.project_id = c.project_id and f.family = c.family)',
    maxRecords: CHUNK_RECORDS,
    maxBytes: CHUNK_BYTES,
  })}
  join plugin g on g.id = r.plugin
  join project p on p.id = r.project_id
  order by r.project_id, r.family, r.id`;

/** Returns the next records of a plugin, with their configurations. */
export async function upgradeCandidates(
  database: Pick<EncryptedDatabase, 'pool' | 'masterKeys'>,
  plugin: number,
  after: RecordRef | null,
): Promise<readonly UpgradeCandidate[]> {
  const { pool, masterKeys } = database;
  const { projectId, family, id } = after ?? { projectId: 0, family: '', id: 0 };
  const rows = await run(pool, READ_CANDIDATES, [plugin, projectId, family, id]);
  const found = rows.map((row) => CANDIDATE.read(row));
  const last = found.at(-1);
  if (last === undefined) return [];
  const keys = await readDataKeys(pool, masterKeys, [...new Set(found.map(({ project }) => project.id))]);
  const pauseAfter = readingPauses();
  const candidates: UpgradeCandidate[] = [];
  for (const { config, secretNames, ...candidate } of found) {
    const key = keys.get(candidate.project.id);
    // The project was deleted after the statement.
    if (key === undefined) continue;
    const values = storedValues(key, candidate.record, config);
    candidates.push({ ...candidate, values, secretNames: new Set(secretNames), jsonSchemas });
    await pauseAfter(values.length);
  }
  return candidates.length > 0 ? candidates : upgradeCandidates(database, plugin, last.record);
}
