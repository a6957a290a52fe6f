import {
  FAMILIES,
  projectNotFound,
  type LockedProject,
  type ManagedRecords,
  type ManagedScope,
  type OwnedChange,
} from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type pg from 'pg';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransaction, inTransactionWithin, lockTimeout, type Within } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW, ROW_BY_ROW } from '../postgres/plans.ts';
import { prepared, run } from '../postgres/statement.ts';
import { createRecords, weightOfCreation, type Creation } from '../record/create-records.ts';
import { keepResponse, keptResponse } from '../record/kept-responses.ts';
import { saveRecords, weightOfSave } from '../record/save-records.ts';
import { requireStored, type Outcome } from '../record/store-writes.ts';
import { lockFamilies } from '../writing/lock-families.ts';
import { readBases, readManagedState } from './managed-state.ts';
import { changedSince, driftOf, ownersOf, ownRecords, pageOfOwned } from './ownership.ts';

const BEGIN_READING = `begin isolation level repeatable read read only; ${ROW_BY_ROW}`;

export function postgresManagedRecords(
  database: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
): ManagedRecords {
  const { pool, configurations } = database;
  return {
    read: (scope) =>
      inTransaction(pool, BEGIN_READING, (client) => readManagedState(client, { configurations }, scope)),
    lock: (scope, work, deadline) => lockProject(database, scope, work, deadline),
    page: (...query) => pageOfOwned(pool, query),
    drift: (projectId, manager) => driftOf(pool, projectId, manager),
  };
}

/** Locks the plugins to attach and the plugins of all owned records. Like every writer, locks plugins before families. */
const LOCK_PLUGINS = prepared('lock_plugins_of_manager')`
  select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin) from (
    select u.plugin from unnest($3::integer[]) as u (plugin)
    union
    select r.plugin from managed_record m join config_record r on r.id = m.record_id
    where m.project_id = $1 and m.manager = $2
    order by plugin
  ) p`;

function lockProject<T>(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  scope: ManagedScope,
  work: (locked: LockedProject) => Promise<T>,
  deadline?: Deadline,
): Promise<T> {
  return inTransactionWithin(pool, { deadline, begin: BEGIN_ROW_BY_ROW }, async (client, within) => {
    const { projectId, manager, plugins } = scope;
    await run(client, LOCK_PLUGINS, [projectId, manager, plugins]);
    const families = FAMILIES.map((family) => ({ projectId, family }));
    if (!(await within(() => lockFamilies(client, families)))) throw projectNotFound();
    const waitMs = lockTimeout(deadline);
    const state = await within(() => readManagedState(client, { configurations }, scope));
    const storing = { client, within, scope, configurations, waitMs };
    return work({
      state,
      changedSince: (base, changed) => within(() => changedSince(client, scope, base, changed)),
      owners: (ids) => within(() => ownersOf(client, projectId, ids)),
      store: (changes) => storeChanges(storing, changes),
      base: async () => ({ ...state.base, families: await within(() => readBases(client, projectId)) }),
      kept: (author) => within(() => keptResponse(client, author)),
      keep: (author, response) =>
        within(() => keepResponse(client, { projectId, family: null, author, response })),
    });
  });
}

interface Storing extends Pick<EncryptedDatabase, 'configurations'> {
  readonly client: pg.ClientBase;
  readonly within: Within;
  readonly scope: ManagedScope;
  readonly waitMs: number;
}

/** Stores the changes, and the ownership of all records. Returns the ids of the new records. */
async function storeChanges(
  { client, within, scope, ...storing }: Storing,
  changes: readonly OwnedChange[],
): Promise<readonly number[]> {
  const { projectId } = scope;
  const updates = changes.flatMap(({ record }) =>
    typeof record === 'object' && 'before' in record ? record : [],
  );
  await inChunks(updates, weightOfSave, (chunk) => within(() => saveRecords(client, chunk, storing)));
  const creations = changes.flatMap(({ family, record }): Creation[] =>
    typeof record === 'object' && 'draft' in record
      ? [{ ...record, family: { projectId, family }, requireRegistered: false }]
      : [],
  );
  const created = await inChunks(creations, weightOfCreation, (chunk) =>
    within(() => createRecords(client, chunk, storing)),
  );
  const newIds = created.map(({ record }) => record.id);
  const unused = newIds.values();
  const owned = changes.map(({ record, ...change }) => {
    if (typeof record === 'number') return { ...change, id: record };
    return { ...change, id: 'before' in record ? record.before.id : (unused.next().value ?? 0) };
  });
  await within(() => ownRecords(client, scope, owned));
  return newIds;
}

/** The limits of one statement, so encrypting its configurations only blocks the process for a few milliseconds. */
const CHUNK = { records: 500, characters: 512 * 1024 };

/** Stores the writes in chunks within the limits of a statement. A large write gets a separate chunk. */
async function inChunks<Write, Result extends object>(
  writes: readonly Write[],
  weightOf: (write: Write) => number,
  store: (chunk: readonly Write[]) => Promise<readonly Outcome<Result | null>[]>,
): Promise<readonly Result[]> {
  const stored: Result[] = [];
  let [start, characters] = [0, 0];
  for (const [i, write] of writes.entries()) {
    characters += weightOf(write);
    const next = writes[i + 1];
    const isFull =
      i + 1 - start === CHUNK.records || next === undefined || characters + weightOf(next) > CHUNK.characters;
    if (!isFull) continue;
    for (const outcome of await store(writes.slice(start, i + 1))) stored.push(requireStored(outcome));
    [start, characters] = [i + 1, 0];
  }
  return stored;
}
