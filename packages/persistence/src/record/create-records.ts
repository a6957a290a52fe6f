import {
  CHANGES_MAX_BYTES,
  describeCreation,
  invalidCredential,
  noNextOrder,
  projectNotFound,
  unregistered,
  tooManyKeptResponses,
  type ConfigRecord,
  type CreateOptions,
  type FamilyRef,
  type RecordDraft,
} from '@plugin-config/domain';
import type pg from 'pg';
import {
  EMPTY,
  placeOf,
  type Configurations,
  type Encrypt,
  type Masker,
  type Owner,
} from '../configuration/configurations.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import type { RowOf } from '../postgres/numbered-rows.ts';
import { prepared, run } from '../postgres/statement.ts';
import { ENTRY } from '../writing/history-entries.ts';
import { keptRecord, readKept } from './kept-responses.ts';
import { RECORD_VALUES } from './record-columns.ts';
import { entryOf } from './save-records.ts';
import { BUSY, locksOf, storeWrites, type Outcome } from './store-writes.ts';

const CREATED_ROW = columns((row) => ({
  number: row.number('number'),
  rejected: row.textOrNull('rejected'),
  id: row.number('id'),
  order: row.number('position'),
  pluginInfo: row.textOrNull('plugin_info'),
  registryVersion: row.numberOrNull('registry_version'),
  schemaVersion: row.number('schema_version'),
  oldestMs: row.numberOrNull('oldest_ms'),
}));

type CreatedRow = ReturnType<typeof CREATED_ROW.read>;

/** A kept response. The rest of the record follows from the draft. */
interface KeptCreation {
  readonly record: Omit<ConfigRecord, keyof FamilyRef | keyof RecordDraft | keyof typeof FIRST_VERSION> &
    Pick<ConfigRecord, 'order'>;
}

export const CREATE_RECORDS = prepared('create_records')`
  select ${CREATED_ROW.sql} from create_config_records($1, $2, $3, $4, $5, $6)`;

const { activity: _activity, ...ENTRY_OF_CREATION } = ENTRY;

/** The columns that `create_config_records` reads. */
export const CREATION = {
  project_id: 'bigint',
  family: 'text',
  family_number: 'integer',
  ...RECORD_VALUES.types,
  position: 'bigint',
  pinned_version: 'text',
  require_registered: 'boolean',
  id: 'bigint',
  config: 'bytea',
  ...ENTRY_OF_CREATION,
  decided_by: 'bigint',
  once_name: 'text',
  once_digest: 'text',
} as const;

/** Requests a position from the store; no position is negative. */
const ASSIGNED_BY_STORE = -1;
/** For a plugin without a registry version; versions are positive. */
const NEVER_REGISTERED = 0;

export interface Creation extends CreateOptions {
  readonly family: FamilyRef;
  readonly draft: RecordDraft;
}

/** Creates records. Creations in the same tick share one statement and its commit. */
export function recordCreator(
  database: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations' | 'isDry'>,
): (creation: Creation) => Promise<ConfigRecord | null> {
  const { pool, configurations } = database;
  const store = storeWrites<Creation, Created | null>({
    database,
    store: (client, creations, waitMs) => createRecords(client, creations, { ...database, waitMs }),
    familyOf: ({ family }) => family,
    deadlineOf: ({ deadline }) => deadline,
    weightOf: weightOfCreation,
  });
  return async (creation) => {
    // A missing data key must not fail the others of the batch.
    if (creation.configuration != null) await configurations.encrypter(pool, [creation.family.projectId]);
    const stored = await store(creation);
    if (stored?.keptOf != null) creation.author.once?.repeat(stored.keptOf);
    return stored?.record ?? null;
  };
}

/** Returns the size of the configuration, and of the activity entry. */
export function weightOfCreation({ configuration }: Pick<Creation, 'configuration'>): number {
  if (configuration == null) return 0;
  const { length } = configuration.values;
  return length + Math.min(length, CHANGES_MAX_BYTES);
}

/** Returns the stored response to a creation; null if there is none. */
export async function keptCreation(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  { author, ...creation }: Pick<Creation, 'family' | 'draft' | 'author'>,
): Promise<ConfigRecord | null> {
  const kept = await keptRecord<KeptCreation>(pool, configurations, author);
  return kept && asCreated(creation, kept);
}

function asCreated(
  { family, draft }: Pick<Creation, 'family' | 'draft'>,
  { record }: KeptCreation,
): ConfigRecord {
  return { ...FIRST_VERSION, ...family, ...draft, ...record };
}

export interface Created {
  readonly record: ConfigRecord;
  /** The digest of the first request, if the record is its kept response. */
  readonly keptOf: string | null;
}

interface Storing extends Pick<EncryptedDatabase, 'configurations'> {
  readonly waitMs: number | null;
}

/** Stores records in one transaction. Returns each record or its rejection. */
export async function createRecords(
  client: pg.ClientBase,
  creations: readonly Creation[],
  { configurations, waitMs }: Storing,
): Promise<readonly Outcome<Created | null>[]> {
  const ids = await drawnIds(client, creations);
  const encrypt = await encrypterOf(client, configurations, creations);
  const { locks, numberInBatch } = locksOf(
    creations.map(({ family }) => family),
    creations.map(({ draft }) => draft.plugin),
    creations.map(({ author }) => author),
  );
  const drafts = creations.map((creation, i) =>
    rowOf(creation, { id: ids[i], familyNumber: numberInBatch(creation.family), encrypt }),
  );
  const rows = await run(client, CREATE_RECORDS, [...locks, JSON.stringify(drafts), waitMs]);
  const created = new Map(rows.map((row) => CREATED_ROW.read(row)).map((row) => [row.number - 1, row]));
  const kept = await readKept<KeptCreation>(
    client,
    configurations,
    creations.flatMap(({ author: { once } }, i) =>
      created.get(i)?.rejected === 'kept' ? (once?.name ?? []) : [],
    ),
  );
  const owners = creations.flatMap((creation, i) => {
    const row = created.get(i);
    return row?.rejected === null && row.registryVersion !== null ? ownerOf(creation, row) : [];
  });
  const masker = await configurations.masker(client, owners);
  return creations.map((creation, i) => {
    const first = kept.get(creation.author.once?.name ?? '');
    if (first === undefined) return resultOf(creation, created.get(i), masker);
    return { record: asCreated(creation, first.value), keptOf: first.digest };
  });
}

/**
 * Draws the ids of the records if any has a configuration, which is encrypted for its id. Ids are drawn for all of them, and thus
 * increase in the order of the creations.
 */
async function drawnIds(client: pg.ClientBase, creations: readonly Creation[]): Promise<readonly number[]> {
  if (creations.every(({ configuration }) => configuration == null)) return [];
  return (await run(client, DRAW_IDS, [creations.length])).map((row) => numberAt(row, 0));
}

/** Loads the data keys of the records with a configuration. */
function encrypterOf(
  client: pg.ClientBase,
  configurations: Configurations,
  creations: readonly Creation[],
): Promise<Encrypt> {
  const configured = creations.filter(({ configuration }) => configuration != null);
  return configurations.encrypter(
    client,
    configured.map(({ family }) => family.projectId),
  );
}

const DRAW_IDS = prepared('draw_record_ids')`
  select nextval('config_record_id_seq') from generate_series(1, $1::integer)`;

function ownerOf({ family, draft }: Creation, { id, registryVersion, schemaVersion }: CreatedRow): Owner {
  const { projectId } = family;
  const versions = { registryVersion, schemaVersion, pinnedVersion: draft.pinnedVersion ?? null };
  return { id, projectId, plugin: draft.plugin, formerPlugins: NO_PLUGINS, ...versions };
}

function resultOf(creation: Creation, row: CreatedRow | undefined, masker: Masker): Outcome<Created | null> {
  if (row === undefined) return projectNotFound();
  const { family, draft, author, configuration } = creation;
  const { rejected, id, order, pluginInfo, registryVersion, schemaVersion } = row;
  // A kept response that was not found has just expired.
  if (rejected === 'busy' || rejected === 'kept') return BUSY;
  if (rejected === 'revoked') return invalidCredential();
  if (rejected === 'unregistered') return unregistered(draft.plugin);
  if (rejected === 'outdated') return null;
  if (rejected === 'too_many_kept') return tooManyKeptResponses(row.oldestMs ?? 0);
  if (rejected === 'no_next_position') return noNextOrder();
  const record: ConfigRecord = {
    ...FIRST_VERSION,
    ...family,
    ...draft,
    id,
    order,
    config: masker.values(ownerOf(creation, row), configuration?.values ?? EMPTY),
    pluginInfo,
    registryVersion,
    schemaVersion,
    createdAt: author.at,
    updatedAt: author.at,
  };
  return { record, keptOf: null };
}

const NO_PLUGINS: readonly number[] = [];

const FIRST_VERSION = {
  formerPlugins: NO_PLUGINS,
  pinnedVersion: null,
  error: null,
  deliveryRate: null,
  version: 1,
  configVersion: 1,
};

interface Stored {
  /** Undefined if the database assigns it. */
  readonly id: number | undefined;
  readonly familyNumber: number;
  readonly encrypt: Encrypt;
}

/** Returns the columns of a record. Undefined columns are null in SQL, and are not sent. */
function rowOf(
  { family, draft, author, requireRegistered, configuration, decidedBy }: Creation,
  { id, familyNumber, encrypt }: Stored,
): RowOf<typeof CREATION> {
  const { projectId } = family;
  const placed = { ...draft, order: draft.order ?? ASSIGNED_BY_STORE };
  const { activity: _, ...entry } = entryOf(
    describeCreation(placed, author, configuration),
    { projectId, id: id ?? 0 },
    encrypt,
  );
  return {
    project_id: projectId,
    family: family.family,
    family_number: familyNumber,
    ...RECORD_VALUES.named(draft),
    position: draft.order,
    pinned_version: draft.pinnedVersion,
    require_registered: requireRegistered,
    id,
    config:
      configuration == null || id === undefined
        ? undefined
        : encrypt(placeOf({ projectId, id }, 'config_record.config'), configuration.values),
    ...entry,
    decided_by: decidedBy === undefined ? undefined : (decidedBy ?? NEVER_REGISTERED),
    once_name: author.once?.name,
    once_digest: author.once?.digest,
  };
}
