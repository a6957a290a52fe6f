import type { Family, RecordRef, UpgradeCandidate } from '@plugin-config/domain';
import { readingPauses } from '@plugin-config/flow/node';
import { decryptText } from '../configuration/ciphertext.ts';
import { EMPTY, placeOf } from '../configuration/configurations.ts';
import { readDataKeys } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { jsonSchemas } from '../json-schema/ajv-json-schemas.ts';
import { columns } from '../postgres/columns.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { prepared, run } from '../postgres/statement.ts';
import { PROJECT_SUBJECT, RECORD_SUBJECT } from '../project/subject-columns.ts';

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
  from ${rowsThatFit({
    from: `(
      select c.* from config_record c
      join config_family f on f.project_id = c.project_id and f.family = c.family
      where c.plugin = $1 and (c.project_id, c.family, c.id) > ($2, $3, $4) and not c.deleted
      order by c.project_id, c.family, c.id limit ${CHUNK_RECORDS}
    )`,
    order: 'p.project_id, p.family, p.id',
    bytes: 'coalesce(octet_length(p.config), 0)',
    maxBytes: String(CHUNK_BYTES),
  })} r
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
    const place = placeOf(candidate.record, 'config_record.config');
    const values = config === null ? EMPTY : decryptText(key, place, config);
    candidates.push({ ...candidate, values, secretNames: new Set(secretNames), jsonSchemas });
    await pauseAfter(values.length);
  }
  return candidates.length > 0 ? candidates : upgradeCandidates(database, plugin, last.record);
}
