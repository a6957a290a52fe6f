import {
  describeCreation,
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
import {
  EMPTY,
  placeOf,
  type Configurations,
  type Masker,
  type Owner,
} from '../configuration/configurations.ts';
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
  /** The configuration as JSON text, including secret values; null or absent for none. */
  readonly values?: string | null;
  readonly key: IdempotencyKey | null;
}

/** Creates records. Creations in the same tick share one statement and its commit. */
export function recordCreator(
  database: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations' | 'isDry'>,
): (creation: Creation) => Promise<Once<ConfigRecord>> {
  return storeWrites<Creation, Once<ConfigRecord>>({
    database,
    store: (client, creations, waitMs) => createRecords(client, creations, { ...database, waitMs }),
    familyOf: ({ family }) => family,
    deadlineOf: ({ deadline }) => deadline,
    weightOf: () => 0,
  });
}

interface Storing extends Pick<EncryptedDatabase, 'configurations'> {
  readonly waitMs: number | null;
}

/** Stores records in one transaction. Returns each record or its rejection. */
export async function createRecords(
  client: pg.ClientBase,
  creations: readonly Creation[],
  { configurations, waitMs }: Storing,
): Promise<readonly Outcome<Once<ConfigRecord>>[]> {
  const encrypted = await encryptedConfigurations(client, creations, configurations);
  const { locks, numberInBatch } = locksOf(
    creations.map(({ family }) => family),
    creations.map(({ draft }) => draft.plugin),
    creations.map(({ author }) => author),
  );
  const drafts = creations.map((creation, i) => ({
    ...rowOf(creation, numberInBatch(creation.family)),
    ...encrypted[i],
  }));
  const rows = await run(client, CREATE_RECORDS, [...locks, JSON.stringify(drafts), waitMs]);
  const created = new Map(rows.map((row) => CREATED.read(row)).map((row) => [row.number - 1, row]));
  const kept = await readKept<KeptCreation>(
    client,
    configurations,
    creations.flatMap(({ key }, i) => (created.get(i)?.rejected === 'kept' ? (key?.name ?? []) : [])),
  );
  const owners = creations.flatMap((creation, i) => {
    const row = created.get(i);
    return row?.rejected === null && row.pluginVersion !== null ? ownerOf(creation, row) : [];
  });
  const masker = await configurations.masker(client, owners);
  return creations.map((creation, i) => {
    const first = kept.get(creation.key?.name ?? '');
    if (first === undefined) return resultOf(creation, created.get(i), masker);
    const { family, draft } = creation;
    return { ...first, value: { ...family, ...draft, ...FIRST_VERSION, ...first.value.record } };
  });
}

type ConfigColumns = Partial<Pick<RowOf<typeof CREATION>, 'id' | 'config'>>;

/**
 * Encrypts the configurations, each for the id of its record. If there are any, ids are drawn for all records, so that they
 * increase in the order of the creations.
 */
async function encryptedConfigurations(
  client: pg.ClientBase,
  creations: readonly Creation[],
  configurations: Configurations,
): Promise<readonly ConfigColumns[]> {
  const configured = creations.filter(({ values }) => values != null);
  if (configured.length === 0) return creations.map(() => ({}));
  const ids = (await run(client, DRAW_IDS, [creations.length])).map((row) => numberAt(row, 0));
  const projectIds = configured.map(({ family }) => family.projectId);
  const encrypt = await configurations.encrypter(client, projectIds);
  return creations.map(({ family: { projectId }, values }, i) => {
    const id = ids[i] ?? 0;
    if (values == null) return { id };
    return { id, config: encrypt(placeOf({ projectId, id }, 'config_record.config'), values) };
  });
}

const DRAW_IDS: Statement = {
  name: 'draw_record_ids',
  text: `select nextval('config_record_id_seq') from generate_series(1, $1::integer)`,
};

function ownerOf({ family, draft }: Creation, { id, pluginVersion }: Created): Owner {
  return { id, projectId: family.projectId, plugin: draft.plugin, formerPlugins: NO_PLUGINS, pluginVersion };
}

function resultOf(creation: Creation, row: Created | undefined, masker: Masker): Outcome<Once<ConfigRecord>> {
  if (row === undefined) return projectNotFound();
  const { family, draft, author, key, values } = creation;
  const { rejected, id, order, pluginInfo, pluginVersion } = row;
  // A kept response that was not found has just expired.
  if (rejected === 'busy' || rejected === 'kept') return BUSY;
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
    config: masker.values(ownerOf(creation, row), values ?? EMPTY),
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
): Omit<RowOf<typeof CREATION>, 'id' | 'config'> {
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
