import {
  FAMILIES,
  projectNotFound,
  type Applied,
  type ConfigRecord,
  type IdempotencyKey,
  type LockedProject,
  type ManagedScope,
  type ManagedState,
  type Once,
  type RecordDraft,
} from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type pg from 'pg';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { inTransactionWithin, lockTimeout, type Within } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { createRecords } from '../record/create-records.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { keepResponse } from '../record/kept-responses.ts';
import { moveRecords } from '../record/lock-family.ts';
import { saveRecords, weightOfSave } from '../record/save-records.ts';
import { requireStored } from '../record/store-writes.ts';
import { lockFamilies } from '../writing/lock-families.ts';
import { changedSince } from './edited-records.ts';
import { readBase, readManagedState } from './managed-state.ts';
import { disownRecords, ownersOf, ownRecords } from './store-ownership.ts';

/** Locks the plugins to attach and those of all owned records. Like every writer, locks plugins before families. */
const LOCK_PLUGINS: Statement = {
  name: 'lock_plugins_of_manager',
  text: `select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin) from (
    select u.plugin from unnest($3::integer[]) as u (plugin)
    union
    select r.plugin from managed_record m join config_record r on r.id = m.record_id
    where m.project_id = $1 and m.manager = $2
    order by plugin
  ) p`,
};

/** The limits of one statement: encrypting its configurations blocks the process for a few milliseconds. */
const CHUNK = { records: 500, characters: 512 * 1024 };

export function lockProject<T>(
  { pool, primary, configurations }: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>,
  scope: ManagedScope,
  work: (locked: LockedProject) => Promise<T>,
  deadline?: Deadline,
): Promise<T> {
  return inTransactionWithin(pool, { deadline, begin: BEGIN_ROW_BY_ROW }, async (client, within) => {
    const { projectId, manager, plugins } = scope;
    await run(client, LOCK_PLUGINS, [projectId, manager, plugins]);
    const families = FAMILIES.map((family) => ({ projectId, family }));
    if (!(await within(() => lockFamilies(client, families)))) throw projectNotFound();
    const locking = { timelineId: primary.timelineId, deadline, configurations };
    return work(await lockedProject(client, within, scope, locking));
  });
}

interface Locking extends Pick<EncryptedDatabase, 'configurations'> {
  readonly timelineId: string;
  readonly deadline: Deadline | undefined;
}

async function lockedProject(
  client: pg.ClientBase,
  within: Within,
  scope: ManagedScope,
  { timelineId, deadline, configurations }: Locking,
): Promise<LockedProject> {
  const { projectId } = scope;
  const inChunks = async <Write>(
    writes: readonly Write[],
    weightOf: (write: Write) => number,
    store: (chunk: readonly Write[]) => Promise<readonly ConfigRecord[]>,
  ): Promise<readonly ConfigRecord[]> => {
    const stored: ConfigRecord[] = [];
    for (const chunk of chunksOf(writes, weightOf)) {
      stored.push(...(await within(() => store(chunk))));
    }
    return stored;
  };
  const waitMs = lockTimeout(deadline);
  const state = await within(() => readManagedState(client, { timelineId, configurations }, scope));
  const weightOfDraft = ({ plugin }: RecordDraft): number => defaultsIn(state, plugin)?.values?.length ?? 0;
  return {
    state,
    changedSince: (base, families) => within(() => changedSince(client, scope, base, families)),
    save: (writes) =>
      inChunks(writes, weightOfSave, async (chunk) => {
        const saved = await saveRecords(client, chunk, { configurations, waitMs });
        return saved.map((outcome) => requireStored(outcome));
      }),
    create: (family, drafts, author) =>
      inChunks(drafts, weightOfDraft, async (chunk) => {
        const creations = chunk.map((draft) => ({
          family,
          draft,
          author,
          requireRegistered: false,
          key: null,
        }));
        const storing = { configurations, waitMs, defaultsOf: (id: number) => defaultsIn(state, id) };
        const created = await createRecords(client, creations, storing);
        return created.map((outcome) => requireStored(outcome).value);
      }),
    move: (family, positions, author) =>
      within(() =>
        moveRecords(client, family, { live: state.families[family.family].live, positions, author }),
      ),
    own: (records) => within(() => ownRecords(client, scope, records)),
    disown: (records) => within(() => disownRecords(client, scope, records)),
    owners: (ids) => within(() => ownersOf(client, projectId, ids)),
    base: () => within(() => readBase(client, timelineId, projectId)),
    keptResponse: (key) => within(() => keptApply(client, key)),
    // Any family would do: responses are counted by family, and both families are locked.
    keepResponse: (key, actor, response) =>
      within(() => keepResponse(client, { projectId, family: 'plugin_configs', key, actor, response })),
  };
}

/** Splits the writes into chunks within the limits of a statement. A large write is a chunk of its own. */
function* chunksOf<Write>(
  writes: readonly Write[],
  weightOf: (write: Write) => number,
): Generator<readonly Write[]> {
  let chunk: Write[] = [];
  let characters = 0;
  for (const write of writes) {
    const weight = weightOf(write);
    const isFull = chunk.length === CHUNK.records || characters + weight > CHUNK.characters;
    if (isFull && chunk.length > 0) {
      yield chunk;
      [chunk, characters] = [[], 0];
    }
    chunk.push(write);
    characters += weight;
  }
  if (chunk.length > 0) yield chunk;
}

const KEPT = columns((row) => ({
  value: row.json('k.response') as Applied,
  digest: row.text('k.digest'),
  origin: row.text('k.origin'),
}));

const KEPT_APPLY: Statement = {
  name: 'kept_apply',
  text: `select ${KEPT.sql} from kept_response k where k.name = $1`,
};

async function keptApply(client: pg.ClientBase, { name }: IdempotencyKey): Promise<Once<Applied> | null> {
  const [row] = await run(client, KEPT_APPLY, [name]);
  return row === undefined ? null : { ...KEPT.read(row), isFirst: false };
}

/** Returns the defaults of a plugin, whose registration is locked. */
function defaultsIn({ plugins }: ManagedState, id: number) {
  const { version = null, secretNames, defaults } = plugins.get(id) ?? {};
  const hasNone = version === null || secretNames === undefined || defaults === '{}';
  return hasNone ? null : { version, secretNames, values: defaults ?? null };
}
