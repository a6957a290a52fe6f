import {
  describeCreation,
  invalidCredential,
  noNextOrder,
  projectNotFound,
  unregistered,
  tooManyKept,
  type ConfigRecord,
  type CreateOptions,
  type FamilyRef,
  type IdempotencyKey,
  type Once,
  type RecordDraft,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { Recollection } from '../writing/recollection.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import type { RowOf } from '../postgres/numbered-rows.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { RECORD_VALUES } from '../writing/record-values.ts';
import { recordValues } from './save-records.ts';
import { BUSY, locksOf, storeWrites, type Outcome } from './store-writes.ts';

const CREATED = columns((row) => ({
  number: row.number('number'),
  refused: row.textOrNull('refused'),
  id: row.number('id'),
  order: row.number('position'),
  config: row.text('config'),
  pluginInfo: row.textOrNull('plugin_info'),
  pluginRevision: row.numberOrNull('plugin_revision'),
  kept: row.jsonOrNull('answer') as KeptCreation | null,
  digest: row.textOrNull('digest'),
  origin: row.textOrNull('origin'),
  oldestMs: row.numberOrNull('oldest_ms'),
}));

/** What is kept of a creation; the rest follows from its draft, or is read anew: it may become secret. */
interface KeptCreation extends Pick<ConfigRecord, 'id' | 'order'> {
  readonly at: string;
}

type Created = ReturnType<typeof CREATED.read>;

export const CREATE_RECORDS: Statement = {
  name: 'create_records',
  text: `select ${CREATED.sql}
  from create_config_records($1, $2, $3, $4, $5, $6)`,
};

/** The columns that `create_config_records` reads. */
export const CREATION = {
  project_id: 'bigint',
  family: 'text',
  family_number: 'integer',
  ...RECORD_VALUES,
  position: 'bigint',
  require_registered: 'boolean',
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

/** Stands for the position that the store assigns; no position is negative. */
const ASSIGNED_BY_STORE = -1;

interface Creation extends CreateOptions {
  readonly family: FamilyRef;
  readonly draft: RecordDraft;
  readonly key: IdempotencyKey | null;
}

/** Creates records. Those of a tick share one statement and its commit. */
export function recordCreator(
  database: Pick<Database, 'pool' | 'primary' | 'isDry'>,
  recollection: Recollection,
): (creation: Creation) => Promise<Once<ConfigRecord>> {
  const create = storeWrites<Creation, Once<ConfigRecord>>({
    database,
    store: createRecords,
    familyOf: ({ family }) => family,
    patienceOf: ({ patience }) => patience,
    weightOf: () => 0,
  });
  return async (creation) => {
    const created = await create(creation);
    if (created.isFirst) recollection.noteRecord(created.value);
    return created;
  };
}

/** Stores records in one transaction. Returns each record or its refusal. */
export async function createRecords(
  client: pg.ClientBase,
  creations: readonly Creation[],
  waitMs: number | null,
): Promise<readonly Outcome<Once<ConfigRecord>>[]> {
  const { locks, numberInBatch } = locksOf(
    creations.map(({ family }) => family),
    creations.map(({ draft }) => draft.plugin),
    creations.map(({ author }) => author),
  );
  const drafts = creations.map((creation) => rowOf(creation, numberInBatch(creation.family)));
  const rows = await run(client, CREATE_RECORDS, [...locks, JSON.stringify(drafts), waitMs]);
  const answers = new Map(rows.map((row) => CREATED.read(row)).map((row) => [row.number - 1, row]));
  return creations.map((creation, i) => resultOf(creation, answers.get(i)));
}

function resultOf(
  { family, draft, author, key }: Creation,
  row: Created | undefined,
): Outcome<Once<ConfigRecord>> {
  if (row === undefined) return projectNotFound();
  const { refused, kept, config, pluginInfo, pluginRevision } = row;
  if (refused === 'busy') return BUSY;
  if (refused === 'revoked') return invalidCredential();
  if (refused === 'unregistered') return unregistered(draft.plugin);
  if (refused === 'too_many_kept') return tooManyKept(row.oldestMs ?? 0);
  if (refused === 'no_next_position') return noNextOrder();
  const { id, order } = kept ?? row;
  const at = kept === null ? author.at : new Date(kept.at);
  const value: ConfigRecord = {
    ...family,
    ...draft,
    id,
    order,
    config,
    pluginInfo,
    error: null,
    deliveryRate: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
    configRevision: 1,
    pluginRevision,
  };
  const { digest, origin } = kept === null ? (key ?? NO_KEY) : row;
  return { value, digest: digest ?? '', origin: origin ?? '', isFirst: kept === null };
}

const NO_KEY = { digest: null, origin: null };

function rowOf(
  { family, draft, author, requireRegistered, key }: Creation,
  familyNumber: number,
): RowOf<typeof CREATION> {
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
