import {
  describeCreation,
  maskConfiguration,
  invalidCredential,
  noNextOrder,
  projectNotFound,
  unregistered,
  tooManyKeptResponses,
  type ConfigRecord,
  type CreateOptions,
  type FamilyRef,
  type IdempotencyKey,
  type Once,
  type RecordDraft,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { RecordCache } from '../writing/record-cache.ts';
import { placeOf, type Encrypt } from '../configuration/configurations.ts';
import type { Defaults } from '../configuration/registrations.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import type { RowOf } from '../postgres/numbered-rows.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { readKept } from './kept-responses.ts';
import { RECORD_VALUES, recordValues } from './save-records.ts';
import { BUSY, locksOf, storeWrites, type Outcome } from './store-writes.ts';

const CREATED = columns((row) => ({
  number: row.number('number'),
  rejected: row.textOrNull('rejected'),
  id: row.number('id'),
  order: row.number('position'),
  pluginInfo: row.textOrNull('plugin_info'),
  pluginVersion: row.numberOrNull('plugin_version'),
  oldestMs: row.numberOrNull('oldest_ms'),
}));

type Created = ReturnType<typeof CREATED.read>;

/** A kept response. The rest of the record follows from the draft. */
interface KeptCreation {
  readonly record: Omit<ConfigRecord, keyof FamilyRef | keyof RecordDraft | keyof typeof FIRST_VERSION> &
    Pick<ConfigRecord, 'order'>;
}

export const CREATE_RECORDS: Statement = {
  name: 'create_records',
  text: `select ${CREATED.sql} from create_config_records($1, $2, $3, $4, $5, $6)`,
};

/** The columns that `create_config_records` reads. */
export const CREATION = {
  project_id: 'bigint',
  family: 'text',
  family_number: 'integer',
  ...RECORD_VALUES,
  position: 'bigint',
  require_registered: 'boolean',
  id: 'bigint',
  config: 'bytea',
  defaults_version: 'bigint',
  at: 'timestamptz',
  actor_key_id: 'bigint',
  actor_label: 'text',
  request_id: 'text',
  apply_id: 'uuid',
  activity_changes: 'text',
  once_name: 'text',
  once_digest: 'text',
  once_origin: 'text',
} as const;

/** Requests a position from the store; no position is negative. */
const ASSIGNED_BY_STORE = -1;

export interface Creation extends CreateOptions {
  readonly family: FamilyRef;
  readonly draft: RecordDraft;
  /** The initial configuration as JSON text; null or absent for the defaults of the plugin. */
  readonly values?: string | null;
  readonly key: IdempotencyKey | null;
}

/**
 * Creates records. Creations in the same tick share one statement and its commit. If the cached defaults of a plugin are
 * outdated, its records are created by a second statement, which reads them first.
 */
export function recordCreator(
  database: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations' | 'isDry'>,
  recordCache: RecordCache,
): (creation: Creation) => Promise<Once<ConfigRecord>> {
  const { defaults } = database.configurations;
  const create = storeWrites<Creation, Once<ConfigRecord>>({
    database,
    store: async (client, creations, waitMs) => {
      if (waitMs !== null)
        await defaults.read(client, [...new Set(creations.map(({ draft }) => draft.plugin))]);
      return createRecords(client, creations, { ...database, waitMs, defaultsOf: defaults.cached });
    },
    familyOf: ({ family }) => family,
    deadlineOf: ({ deadline }) => deadline,
    weightOf: () => 0,
  });
  return async (creation) => {
    const created = await create(creation);
    if (created.isFirst) recordCache.storeRecord(created.value);
    return created;
  };
}

/** The defaults that new records of a plugin start with. */
export interface InitialDefaults extends Pick<Defaults, 'secretNames' | 'values'> {
  /** Null if the plugin was never registered. */
  readonly version: number | null;
}

/** The initial configuration of a record, and its id, which is drawn beforehand. */
interface InitialConfig {
  readonly id: number;
  readonly values: string;
  readonly defaults: InitialDefaults;
}

interface Storing extends Pick<EncryptedDatabase, 'configurations'> {
  readonly waitMs: number | null;
  /** Returns the defaults of a plugin. If they are outdated, its records are not stored: their outcome is `BUSY`. */
  readonly defaultsOf: (plugin: number) => InitialDefaults | null;
}

/** Stores records in one transaction. Returns each record or its rejection. */
export async function createRecords(
  client: pg.ClientBase,
  creations: readonly Creation[],
  { configurations, waitMs, defaultsOf }: Storing,
): Promise<readonly Outcome<Once<ConfigRecord>>[]> {
  const initialConfigs = await drawInitialConfigs(client, creations, defaultsOf);
  const configured = creations.filter((creation) => initialConfigs.has(creation));
  const encrypt = await configurations.encrypter(
    client,
    configured.map(({ family }) => family.projectId),
  );
  const { locks, numberInBatch } = locksOf(
    creations.map(({ family }) => family),
    creations.map(({ draft }) => draft.plugin),
    creations.map(({ author }) => author),
  );
  const drafts = creations.map((creation) => ({
    ...rowOf(creation, numberInBatch(creation.family)),
    ...configColumns(creation, initialConfigs.get(creation), encrypt),
  }));
  const rows = await run(client, CREATE_RECORDS, [...locks, JSON.stringify(drafts), waitMs]);
  const created = new Map(rows.map((row) => CREATED.read(row)).map((row) => [row.number - 1, row]));
  const kept = await readKept<KeptCreation>(
    client,
    configurations,
    creations.flatMap(({ key }, i) => (created.get(i)?.rejected === 'kept' ? (key?.name ?? []) : [])),
  );
  return creations.map((creation, i) => {
    const first = kept.get(creation.key?.name ?? '');
    if (first === undefined) return resultOf(creation, created.get(i), initialConfigs.get(creation));
    const { family, draft } = creation;
    return { ...first, value: { ...family, ...draft, ...FIRST_VERSION, ...first.value.record } };
  });
}

const EMPTY = '{}';

/** Draws ids for records with an initial configuration, since it is encrypted for the id of its record. */
async function drawInitialConfigs(
  client: pg.ClientBase,
  creations: readonly Creation[],
  defaultsOf: Storing['defaultsOf'],
): Promise<ReadonlyMap<Creation, InitialConfig>> {
  const configured = creations.flatMap((creation) => {
    const defaults = defaultsOf(creation.draft.plugin);
    const values = creation.values ?? defaults?.values ?? null;
    return defaults === null || values === null ? [] : [{ creation, defaults, values }];
  });
  if (configured.length === 0) return new Map();
  const ids = (await run(client, DRAW_IDS, [configured.length])).map((row) => numberAt(row, 0));
  return new Map(configured.map(({ creation, ...rest }, i) => [creation, { id: ids[i] ?? 0, ...rest }]));
}

const DRAW_IDS: Statement = {
  name: 'draw_record_ids',
  text: `select nextval('config_record_id_seq') from generate_series(1, $1::integer)`,
};

function configColumns({ family }: Creation, initial: InitialConfig | undefined, encrypt: Encrypt) {
  if (initial === undefined) return { id: undefined, config: undefined, defaults_version: undefined };
  const { id, values, defaults } = initial;
  const place = placeOf({ projectId: family.projectId, id }, 'config_record.config');
  return { id, config: encrypt(place, values), defaults_version: defaults.version };
}

function resultOf(
  { family, draft, author, key }: Creation,
  row: Created | undefined,
  initial: InitialConfig | undefined,
): Outcome<Once<ConfigRecord>> {
  if (row === undefined) return projectNotFound();
  const { rejected, id, order, pluginInfo, pluginVersion } = row;
  // A kept response that was not found has just expired.
  if (rejected === 'busy' || rejected === 'other_defaults' || rejected === 'kept') return BUSY;
  if (rejected === 'revoked') return invalidCredential();
  if (rejected === 'unregistered') return unregistered(draft.plugin);
  if (rejected === 'too_many_kept') return tooManyKeptResponses(row.oldestMs ?? 0);
  if (rejected === 'no_next_position') return noNextOrder();
  const value: ConfigRecord = {
    ...family,
    ...draft,
    ...FIRST_VERSION,
    id,
    order,
    config: initial === undefined ? EMPTY : maskConfiguration(initial.values, initial.defaults.secretNames),
    pluginInfo,
    pluginVersion,
    createdAt: author.at,
    updatedAt: author.at,
  };
  return { value, digest: key?.digest ?? '', origin: key?.origin ?? '', isFirst: true };
}

const NO_PLUGINS: readonly number[] = [];

const FIRST_VERSION = {
  formerPlugins: NO_PLUGINS,
  error: null,
  deliveryRate: null,
  version: 1,
  configVersion: 1,
};

function rowOf(
  { family, draft, author, requireRegistered, key }: Creation,
  familyNumber: number,
): Omit<RowOf<typeof CREATION>, keyof ReturnType<typeof configColumns>> {
  const { changes } = describeCreation({ ...draft, order: draft.order ?? ASSIGNED_BY_STORE }, author);
  return {
    project_id: family.projectId,
    family: family.family,
    family_number: familyNumber,
    ...recordValues(draft),
    position: draft.order,
    require_registered: requireRegistered,
    at: author.at,
    actor_key_id: author.actor.keyId,
    actor_label: author.actor.label,
    request_id: author.requestId,
    apply_id: author.applyId,
    activity_changes: JSON.stringify(changes),
    once_name: key?.name,
    once_digest: key?.digest,
    once_origin: key?.origin,
  };
}
