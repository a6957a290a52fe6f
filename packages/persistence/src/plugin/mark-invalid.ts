import { isValidConfiguration, type Configured, type Plugin } from '@plugin-config/domain';
import { readingPauses } from '@plugin-config/flow/node';
import type pg from 'pg';
import { storedValues } from '../configuration/configurations.ts';
import { readDataKeys } from '../configuration/data-keys.ts';
import type { SecretsKeys } from '../crypto/secrets-keys.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { prepared, run, type Parameter, type Statement } from '../postgres/statement.ts';
import { write } from '../writing/write.ts';
import { nextOfPlugin } from './next-of-plugin.ts';
import { jsonSchemas } from '../json-schema/ajv-json-schemas.ts';

const CHUNK_RECORDS = 500;
const CHUNK_BYTES = 1024 * 1024;
const MARKS_AT_ONCE = 1000;

const ENABLED = columns((row) => ({
  id: row.number('r.id'),
  projectId: row.number('r.project_id'),
  family: row.text('r.family'),
  config: row.textOrNull('r.config'),
  invalid: row.flag('r.invalid'),
  formerNames: row.texts(
    'array(select unnest(p.secret_names) from plugin p where p.id = any (r.former_plugins))',
  ),
}));

/** Reads the enabled records of a plugin after one of them. */
const READ_ENABLED = prepared('read_enabled_of_plugin')`select ${ENABLED.sql}
  from ${nextOfPlugin({
    where: 'c.enabled and ($5::integer is null or c.schema_version = $5 and c.pinned_version is null)',
    maxRecords: CHUNK_RECORDS,
    maxBytes: CHUNK_BYTES,
  })}
  order by r.project_id, r.family, r.id`;

/** Locks the families of records in the same order as all writers do. */
const LOCK_FAMILIES = prepared('lock_families_of_records')`select from config_family f
  where (f.project_id, f.family) in (select r.project_id, r.family from config_record r where r.id = any ($1::bigint[]))
  order by f.project_id, f.family
  for no key update`;

/** If a record has been attached to another plugin since it was read, the attaching transaction marks it. */
const MARK: Statement = {
  name: 'mark_invalid',
  text: write({
    update: {
      set: 'invalid = m.invalid',
      from: 'unnest($1::bigint[], $2::boolean[]) as m (id, invalid)',
      where: 'r.id = m.id and r.plugin = $3 and r.enabled',
    },
    entries: null,
    increments: null,
    result: 'select from written limit 0',
  }),
};

const MARKED = prepared('marked_of_plugin')`
  select r.id from config_record r where r.plugin = $1 and r.invalid
    and ($2::integer is null or r.schema_version = $2 and r.pinned_version is null)
  order by r.project_id, r.family, r.id`;

interface Judging extends Pick<Configured, 'defaults' | 'secretNames'> {
  readonly plugin: Plugin;
  /** The schema version of the records that it holds for; null for all records. */
  readonly schemaVersion: number | null;
}

/**
 * Marks the enabled records whose configuration the schema of the plugin rejects, and clears the marks of all others. Returns how
 * many are marked. The plugin must be locked: no other record may be enabled or attached until the transaction ends.
 */
export async function markInvalid(
  client: pg.ClientBase,
  masterKeys: SecretsKeys,
  { plugin, defaults, secretNames, schemaVersion }: Judging,
): Promise<number> {
  if (plugin.configSchema === undefined) {
    await clearMarks(client, plugin.id, schemaVersion);
    return 0;
  }
  const changed = new Map<number, boolean>();
  let invalid = 0;
  const pauseAfter = readingPauses();
  let after: readonly Parameter[] = [0, '', 0];
  for (;;) {
    const rows = (await run(client, READ_ENABLED, [plugin.id, ...after, schemaVersion])).map((row) =>
      ENABLED.read(row),
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    after = [last.projectId, last.family, last.id];
    const projectIds = new Set(rows.map(({ projectId }) => projectId));
    const keys = await readDataKeys(client, masterKeys, [...projectIds]);
    for (const row of rows) {
      const key = keys.get(row.projectId);
      // The project is deleted, and its records await their erasure.
      if (key === undefined) continue;
      const values = storedValues(key, row, row.config);
      const names = row.formerNames.length === 0 ? secretNames : secretNames.union(new Set(row.formerNames));
      const isInvalid = !isValidConfiguration({ values, defaults, secretNames: names, plugin, jsonSchemas });
      if (isInvalid) invalid += 1;
      if (isInvalid !== row.invalid) changed.set(row.id, isInvalid);
      await pauseAfter(values.length);
    }
  }
  await mark(client, plugin.id, changed);
  return invalid;
}

/** Clears the marks of all records of a plugin that no longer has a schema. */
export async function clearMarks(
  client: pg.ClientBase,
  plugin: number,
  schemaVersion: number | null,
): Promise<void> {
  const rows = await run(client, MARKED, [plugin, schemaVersion]);
  await mark(client, plugin, new Map(rows.map((row) => [numberAt(row, 0), false])));
}

/** Stores marks, which are sorted by the families of their records. */
async function mark(
  client: pg.ClientBase,
  plugin: number,
  marks: ReadonlyMap<number, boolean>,
): Promise<void> {
  const entries = [...marks];
  for (let from = 0; from < entries.length; from += MARKS_AT_ONCE) {
    const some = entries.slice(from, from + MARKS_AT_ONCE);
    const ids = some.map(([id]) => id);
    await run(client, LOCK_FAMILIES, [ids]);
    await run(client, MARK, [ids, some.map(([, invalid]) => invalid), plugin]);
  }
}
