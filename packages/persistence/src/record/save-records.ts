import {
  CHANGES_MAX_BYTES,
  invalidCredential,
  type ConfigRecord,
  type ConfigRecordStore,
  type NewActivity,
  type RecordRef,
  type RecordWrite,
} from '@plugin-config/domain';
import type pg from 'pg';
import {
  isConfigChange,
  placeOf,
  type Configurations,
  type Encrypt,
} from '../configuration/configurations.ts';
import { ENTRY, entryValues } from '../writing/history-entries.ts';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import type { RowOf } from '../postgres/numbered-rows.ts';
import { prepared, run } from '../postgres/statement.ts';
import { RECORD_VALUES } from './record-columns.ts';
import { BUSY, locksOf, storeWrites, type Outcome } from './store-writes.ts';

const SAVED = columns((row) => ({
  number: row.number('number'),
  rejected: row.textOrNull('rejected') as 'busy' | 'missing' | 'revoked' | null,
  error: row.textOrNull('error'),
  deliveryRate: row.textOrNull('delivery_rate'),
  config: row.textOrNull('config'),
}));

type Saved = ReturnType<typeof SAVED.read>;

export const SAVE_RECORDS = prepared('save_records')`
  select ${SAVED.sql} from save_config_records($1, $2, $3, $4, $5, $6)`;

/**
 * The columns that `save_config_records` reads. `former_plugins` is null if the plugin stays the same, `config` if it does.
 * `ends_revision` is true if it ends the current revision. `ended_config` is the old configuration, if it is replaced.
 */
export const CHANGE = {
  id: 'bigint',
  family_number: 'integer',
  version: 'bigint',
  config_version: 'bigint',
  registry_version: 'bigint',
  ...RECORD_VALUES.types,
  position: 'integer',
  schema_version: 'integer',
  pinned_version: 'text',
  former_plugins: 'integer[]',
  config: 'bytea',
  shows_config: 'boolean',
  stays_invalid: 'boolean',
  ends_revision: 'boolean',
  ended_config: 'bytea',
  ...ENTRY,
} as const;

/** Saves changes to records. Changes in the same tick share one statement and its commit. */
export function recordSaver(
  database: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations' | 'isDry'>,
): ConfigRecordStore['save'] {
  return storeWrites<RecordWrite, ConfigRecord | null>({
    database,
    store: (client, writes, waitMs) => saveRecords(client, writes, { ...database, waitMs }),
    familyOf: ({ before }) => before,
    deadlineOf: ({ deadline }) => deadline,
    weightOf: weightOfSave,
  });
}

/** Returns the size of the new configuration, the old one, and the activity entry, which contains old values. */
export function weightOfSave({ before, values, ended }: RecordWrite): number {
  if (values === undefined) return 0;
  const kept = ended?.config?.length ?? 0;
  return values.length + kept + Math.min(before.config.length + values.length, CHANGES_MAX_BYTES);
}

/** Stores the writes that are still valid in one transaction. Returns the stored records in the order of the writes. */
export async function saveRecords(
  client: pg.ClientBase,
  writes: readonly RecordWrite[],
  { configurations, waitMs }: { readonly configurations: Configurations; readonly waitMs: number | null },
): Promise<readonly Outcome<ConfigRecord | null>[]> {
  const { locks, numberInBatch } = locksOf(
    writes.map(({ before }) => before),
    writes.map(({ after }) => after.plugin),
    writes.map(({ activity }) => activity),
  );
  const encrypt = await encrypterOf(client, configurations, writes);
  const changes = writes.map((write) => rowOf(write, numberInBatch(write.before), encrypt));
  const rows = await run(client, SAVE_RECORDS, [...locks, JSON.stringify(changes), waitMs]);
  const saved = new Map(rows.map((row) => SAVED.read(row)).map((row) => [row.number - 1, row]));
  const configOf = await changedConfigurations(client, writes, configurations);
  return writes.map((write, i) => resultOf(write, saved.get(i), configOf));
}

/** Returns a function that shows the configuration of a record after the change. */
async function changedConfigurations(
  client: pg.ClientBase,
  writes: readonly RecordWrite[],
  configurations: Configurations,
): Promise<(write: RecordWrite, saved: Saved) => string> {
  const owners = writes
    .filter(({ values, ...write }) => values !== undefined || showsConfig(write))
    .map(({ after }) => after);
  const masker = await configurations.masker(client, owners);
  return (write, { config }) => {
    const { after, values } = write;
    if (values !== undefined) return masker.values(after, values);
    return showsConfig(write) ? masker.record(after, config) : after.config;
  };
}

function isAttached({ before, after }: Pick<RecordWrite, 'before' | 'after'>): boolean {
  return after.plugin !== before.plugin;
}

/** Whether another registration holds for the record, so its configuration may be shown differently. */
function showsConfig({ before, after }: Pick<RecordWrite, 'before' | 'after'>): boolean {
  const isSame = after.schemaVersion === before.schemaVersion && after.pinnedVersion === before.pinnedVersion;
  return !isSame || isAttached({ before, after });
}

/** Returns the stored record with its current error and delivery rate, which may have changed since it was read. */
function resultOf(
  write: RecordWrite,
  row: Saved | undefined,
  configOf: (write: RecordWrite, saved: Saved) => string,
): Outcome<ConfigRecord | null> {
  if (row === undefined || row.rejected === 'missing') return null;
  const { rejected, error, deliveryRate } = row;
  if (rejected === 'busy') return BUSY;
  if (rejected === 'revoked') return invalidCredential();
  const { before, after, values, activity } = write;
  const { id, projectId, family, createdAt, version } = before;
  const configVersion = before.configVersion + (values === undefined ? 0 : 1);
  const stored = {
    id,
    projectId,
    family,
    createdAt,
    updatedAt: activity.at,
    version: version + 1,
    configVersion,
  };
  return { ...after, ...stored, config: configOf(write, row), error, deliveryRate };
}

/** Loads the data keys of the writes that store encrypted values. */
function encrypterOf(
  client: pg.ClientBase,
  configurations: Configurations,
  writes: readonly RecordWrite[],
): Promise<Encrypt> {
  const encrypting = writes.filter(
    ({ values, ended, activity }) =>
      values !== undefined || ended?.config != null || activity.changes.some(isConfigChange),
  );
  return configurations.encrypter(
    client,
    encrypting.map(({ before }) => before.projectId),
  );
}

/** Returns the columns of a change. Undefined columns are null in SQL, and are not sent. */
function rowOf(
  { before, after, values, staysInvalid, ended, activity }: RecordWrite,
  familyNumber: number,
  encrypt: Encrypt,
): RowOf<typeof CHANGE> {
  const endedConfig = ended?.config ?? null;
  return {
    id: before.id,
    family_number: familyNumber,
    version: before.version,
    config_version: before.configVersion,
    registry_version: after.registryVersion ?? undefined,
    ...RECORD_VALUES.named(after),
    position: after.order,
    schema_version: after.schemaVersion,
    pinned_version: after.pinnedVersion ?? undefined,
    former_plugins: isAttached({ before, after }) ? after.formerPlugins : undefined,
    config: values === undefined ? undefined : encrypt(placeOf(before, 'config_record.config'), values),
    shows_config: showsConfig({ before, after }),
    stays_invalid: staysInvalid,
    ends_revision: ended !== undefined,
    ended_config:
      endedConfig === null ? undefined : encrypt(placeOf(before, 'config_revision.config'), endedConfig),
    ...entryOf(activity, before, encrypt),
  };
}

/** Returns the columns of an entry. Configuration values are encrypted in a separate column. */
export function entryOf(
  entry: NewActivity,
  record: Pick<RecordRef, 'projectId' | 'id'>,
  encrypt: Encrypt,
): RowOf<typeof ENTRY> {
  if (!entry.changes.some(isConfigChange)) return entryValues(entry);
  const values = entry.changes.filter(isConfigChange).map(({ before, after }) => [before, after]);
  const changes = entry.changes.map((change) => (isConfigChange(change) ? { field: change.field } : change));
  return {
    ...entryValues(entry),
    activity_changes: JSON.stringify(changes),
    config_changes: encrypt(placeOf(record, 'activity.config_changes'), JSON.stringify(values)),
  };
}
