import {
  TIMEOUT_MS,
  DomainError,
  failedOver,
  familyNumber,
  SMALL_CHANGE_BYTES,
  tooManyChanges,
  type Author,
  type FamilyRef,
} from '@plugin-config/domain';
import { deadline, type Deadline } from '@plugin-config/flow';
import type pg from 'pg';
import { isBusy } from '../postgres/busy.ts';
import type { Database } from '../postgres/database.ts';
import { onConnection, shareStatements } from '../postgres/statement.ts';
import type { Timeline } from '../postgres/timeline.ts';
import { isDataError } from '../postgres/translate-error.ts';

/** The outcome of a write that was not stored because its family or plugin is locked. */
export const BUSY = Symbol('busy');

/** The outcome of a write. An error means that the write was rejected. */
export type Outcome<Result> = Result | DomainError | typeof BUSY;

/** Returns what a write within a longer transaction stored. Throws if it was rejected, or based on outdated data. */
export function requireStored<Result extends object>(outcome: Outcome<Result | null> | undefined): Result {
  if (outcome instanceof DomainError) throw outcome;
  if (typeof outcome !== 'object' || outcome === null) throw tooManyChanges({ retryAfterSeconds: 1 });
  return outcome;
}

/** Stores writes in one transaction. Waits up to `waitMs` for locks; skips locked families and plugins if it is null. */
export type StoreBatch<Write, Result> = (
  client: pg.ClientBase,
  writes: readonly Write[],
  waitMs: number | null,
) => Promise<readonly Outcome<Result>[]>;

interface Options<Write, Result> {
  readonly database: Pick<Database, 'pool' | 'primary' | 'isDry'>;
  readonly store: StoreBatch<Write, Result>;
  readonly familyOf: (write: Write) => FamilyRef;
  readonly deadlineOf: (write: Write) => Deadline | undefined;
  readonly weightOf: (write: Write) => number;
}

interface Item<Write> {
  readonly write: Write;
  readonly deadline: Deadline;
  /** The timeline on which the write was requested. */
  readonly timeline: Timeline;
}

const MAX_ITEMS = 128;
const MAX_CONCURRENT = 2;
/** Without this pause, requests that arrive together would alternate between a large and a small batch, with a commit each. */
const GATHER_MS = 5;
/** The maximum size of a batch for one family. */
const MAX_BYTES = 1024 * 1024;
/** The longest wait for a family, before the writes of other families go first. */
const LONGEST_WAIT_MS = 500;

/**
 * Stores small writes of all families together, without waiting for locks. Large and blocked writes go into batches for one
 * family each, which wait for its lock.
 */
export function storeWrites<Write, Result>({
  database: { pool, primary, isDry },
  store,
  familyOf,
  deadlineOf,
  weightOf,
}: Options<Write, Result>): (write: Write) => Promise<Result> {
  const storeItems: StoreItems<Write, Result> = (items, waitMs) =>
    onConnection(pool, async (client) => {
      // After a failover, the server may lack the commits that older writes were based on.
      const isOld = new Set(items.filter(({ timeline }) => timeline.ended.aborted));
      const writes = items.filter((item) => !isOld.has(item)).map(({ write }) => write);
      const stored = (writes.length === 0 ? [] : await store(client, writes, waitMs)).values();
      return items.map((item) => (isOld.has(item) ? failedOver() : (stored.next().value as Outcome<Result>)));
    });
  const common = {
    // The writes of a dry run must not see each other.
    maxItems: isDry ? 1 : MAX_ITEMS,
    maxConcurrent: MAX_CONCURRENT,
    tenantOf: ({ write }: Item<Write>) => familyNumber(familyOf(write)),
    isTooLate: (item: Item<Write>) => item.deadline.remainingMs() <= 0,
  };
  const storeMixed = shareStatements<Item<Write>, Outcome<Result>>({
    ...common,
    gatherMs: GATHER_MS,
    tenants: 'exclusive',
    send: (items) => storeBatch(storeItems, items, null),
  });
  const storeByFamily = shareStatements<Item<Write>, Outcome<Result>>({
    ...common,
    tenants: 'single',
    maxBytes: MAX_BYTES,
    bytesOf: ({ write }) => weightOf(write),
    send: (items) => storeBatch(storeItems, items, waitOf(items)),
  });
  return async (write) => {
    const item = {
      write,
      deadline: deadlineOf(write) ?? deadline(TIMEOUT_MS, () => performance.now()),
      timeline: primary.timeline,
    };
    const isSmall = weightOf(write) <= SMALL_CHANGE_BYTES;
    let outcome: Outcome<Result> = isSmall ? await storeMixed(item) : BUSY;
    while (outcome === BUSY) outcome = await storeByFamily(item);
    if (outcome instanceof DomainError) throw outcome;
    return outcome;
  };
}

type StoreItems<Write, Result> = (
  items: readonly Item<Write>[],
  waitMs: number | null,
) => Promise<readonly Outcome<Result>[]>;

/**
 * Stores a batch. If the server rejects its data, each write is retried separately, so only invalid writes fail. After any other
 * error, the batch may have been stored, so it is not retried.
 */
async function storeBatch<Write, Result>(
  store: StoreItems<Write, Result>,
  items: readonly Item<Write>[],
  waitMs: number | null,
): Promise<readonly (Outcome<Result> | Promise<Outcome<Result>>)[]> {
  try {
    return await store(items, waitMs);
  } catch (error) {
    if (isBusy(error)) return items.map(() => BUSY);
    if (!isDataError(error) || items.length === 1) throw error;
  }
  const outcomes: Promise<Outcome<Result>>[] = [];
  for (const item of items) {
    const outcome = storeBatch(store, [item], waitMs).then(([only]) => only as Outcome<Result>);
    await outcome.catch(() => undefined);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Returns how long a batch may wait for its locks. */
function waitOf(items: readonly Item<unknown>[]): number {
  return Math.ceil(
    Math.max(1, Math.min(LONGEST_WAIT_MS, ...items.map((item) => item.deadline.remainingMs()))),
  );
}

interface BatchLocks {
  /** The plugins, the projects and families of the families, and the keys of the authors. */
  readonly locks: readonly [
    readonly number[],
    readonly number[],
    readonly string[],
    readonly (number | null)[],
  ];
  /** Returns the number of a family in `locks`, counted from 1. */
  readonly numberInBatch: (family: FamilyRef) => number;
}

/** Returns the locks and checks of a batch of writes, as parameters of the SQL functions that store it. */
export function locksOf(
  refs: readonly FamilyRef[],
  plugins: readonly number[],
  authors: readonly Author[],
): BatchLocks {
  const families = [...new Map(refs.map((ref) => [familyNumber(ref), ref])).values()];
  const numbers = new Map(families.map((ref, i) => [familyNumber(ref), i + 1]));
  return {
    locks: [
      [...new Set(plugins)],
      families.map(({ projectId }) => projectId),
      families.map(({ family }) => family),
      [...new Set(authors.map(({ actor }) => actor.keyId))],
    ],
    numberInBatch: (family) => numbers.get(familyNumber(family)) ?? 0,
  };
}
