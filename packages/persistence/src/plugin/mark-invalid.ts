import { isValidConfiguration, type Configured, type Plugin } from '@plugin-config/domain';
import { readingPauses } from '@plugin-config/flow/node';
import { decryptText, type Ciphertext, type DataKey } from '../configuration/ciphertext.ts';
import { EMPTY, placeOf } from '../configuration/configurations.ts';
import { dataKeyOf } from '../configuration/data-keys.ts';
import type { SecretsKeys } from '../crypto/secrets-keys.ts';
import type { Entities } from '../entities/entities-on.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { write } from '../writing/write.ts';

/** The number of records that are in memory at a time, and the size of their configurations. */
const CHUNK_RECORDS = 500;
const CHUNK_BYTES = 1024 * 1024;
const MARKS_AT_ONCE = 1000;

interface EnabledRecord {
  readonly id: string;
  readonly project_id: string;
  readonly family: string;
  readonly config: Ciphertext | null;
  readonly invalid: boolean;
  /** The secret names of its former plugins. */
  readonly former_names: readonly string[];
}

/** Reads the enabled records of a plugin after one of them. */
const READ_ENABLED = `select r.id, r.project_id, r.family, r.config::text, r.invalid, array(
    select unnest(p.secret_names) from plugin p where p.id = any (r.former_plugins)
  ) as former_names
  from ${rowsThatFit({
    from: `(
      select * from config_record c
      where c.plugin = ? and (c.project_id, c.family, c.id) > (?, ?, ?) and c.enabled
      order by c.project_id, c.family, c.id limit ${CHUNK_RECORDS}
    )`,
    order: 'p.project_id, p.family, p.id',
    bytes: 'coalesce(octet_length(p.config), 0)',
    maxBytes: String(CHUNK_BYTES),
  })} r
  order by r.project_id, r.family, r.id`;

/** Locks the families of records in the same order as all writers do. */
const LOCK_FAMILIES = `select from config_family f
  where (f.project_id, f.family) in (select r.project_id, r.family from config_record r where r.id = any (?::bigint[]))
  order by f.project_id, f.family
  for no key update`;

/** A record that has been attached to another plugin since it was read is marked by whoever attached it. */
const MARK = write({
  update: {
    set: 'invalid = m.invalid',
    from: 'unnest(?::bigint[], ?::boolean[]) as m (id, invalid)',
    where: 'r.id = m.id and r.plugin = ? and r.enabled',
  },
  entries: null,
  increments: null,
  result: 'select from written limit 0',
});

const MARKED = `select r.id from config_record r where r.plugin = ? and r.invalid
  order by r.project_id, r.family, r.id`;

interface Judging extends Pick<Configured, 'defaults' | 'secretNames'> {
  readonly plugin: Plugin;
}

/**
 * Marks the enabled records whose configuration the schema of the plugin refuses, and clears the marks of all others. Returns how
 * many are marked. The plugin must be locked, so that no other record is enabled or attached until the transaction ends.
 */
export async function markInvalid(
  tx: Entities,
  masterKeys: SecretsKeys,
  { plugin, defaults, secretNames }: Judging,
): Promise<number> {
  if (plugin.configSchema === undefined) {
    await clearMarks(tx, plugin.id);
    return 0;
  }
  const changed = new Map<string, boolean>();
  let invalid = 0;
  const pauseAfter = readingPauses();
  let after: readonly string[] = ['0', '', '0'];
  for (;;) {
    const rows = await tx.em.execute<EnabledRecord[]>(READ_ENABLED, [plugin.id, ...after]);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = [last.project_id, last.family, last.id];
    const keys = await keysOf(tx, masterKeys, rows);
    for (const row of rows) {
      const key = keys.get(row.project_id);
      // The project is deleted, and its records await their erasure.
      if (key === undefined) continue;
      const values = valuesOf(row, key);
      const names =
        row.former_names.length === 0 ? secretNames : secretNames.union(new Set(row.former_names));
      const isInvalid = !isValidConfiguration({ values, defaults, secretNames: names, plugin });
      if (isInvalid) invalid += 1;
      if (isInvalid !== row.invalid) changed.set(row.id, isInvalid);
      await pauseAfter(values.length);
    }
  }
  await mark(tx, plugin.id, changed);
  return invalid;
}

/** Clears the marks of all records of a plugin that no longer has a schema. */
export async function clearMarks(tx: Entities, plugin: number): Promise<void> {
  const rows = await tx.em.execute<{ readonly id: string }[]>(MARKED, [plugin]);
  await mark(tx, plugin, new Map(rows.map(({ id }) => [id, false])));
}

/** Stores marks, which are sorted by the families of their records. */
async function mark({ em }: Entities, plugin: number, marks: ReadonlyMap<string, boolean>): Promise<void> {
  const entries = [...marks];
  for (let from = 0; from < entries.length; from += MARKS_AT_ONCE) {
    const some = entries.slice(from, from + MARKS_AT_ONCE);
    const ids = `{${some.map(([id]) => id).join(',')}}`;
    await em.execute(LOCK_FAMILIES, [ids]);
    await em.execute(MARK, [ids, `{${some.map(([, invalid]) => invalid).join(',')}}`, plugin]);
  }
}

function valuesOf({ id, project_id: projectId, config }: EnabledRecord, key: DataKey): string {
  if (config === null) return EMPTY;
  return decryptText(
    key,
    placeOf({ projectId: Number(projectId), id: Number(id) }, 'config_record.config'),
    config,
  );
}

/** Reads the data keys of the projects of these records. */
async function keysOf(
  { em, ProjectKeyRow }: Entities,
  masterKeys: SecretsKeys,
  rows: readonly EnabledRecord[],
): Promise<ReadonlyMap<string, DataKey>> {
  const projectIds = [...new Set(rows.map((row) => Number(row.project_id)))];
  const where = { projectId: { $in: projectIds } };
  const stored = await em.find(ProjectKeyRow, where, { disableIdentityMap: true });
  return new Map(stored.map((key) => [String(key.projectId), dataKeyOf(masterKeys, key.id, key)]));
}
