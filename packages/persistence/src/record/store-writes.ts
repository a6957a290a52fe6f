import {
  TIMEOUT_MS,
  DomainError,
  familyNumber,
  SMALL_CHANGE_BYTES,
  type Author,
  type FamilyRef,
} from '@plugin-config/domain';
import { deadline, type Deadline } from '@plugin-config/flow';
import type pg from 'pg';
import { isBusy } from '../postgres/busy.ts';
import type { Database } from '../postgres/database.ts';
import { shareStatements } from '../postgres/share-statements.ts';
import { onConnection } from '../postgres/statement.ts';
import { isDataError } from '../postgres/translate-error.ts';

/** The answer to a write whose family or plugin is locked by others: nothing was stored. */
export const BUSY = Symbol('busy');

/** What became of a write; an error rejects it. */
export type Outcome<Answer> = Answer | DomainError | typeof BUSY;

/** Stores writes in one transaction. Locks only free families and plugins, or waits for locks for `waitMs`. */
export type StoreBatch<Write, Answer> = (
  client: pg.ClientBase,
  writes: readonly Write[],
  waitMs: number | null,
) => Promise<readonly Outcome<Answer>[]>;

interface Options<Write, Answer> {
  readonly database: Pick<Database, 'pool' | 'primary' | 'isDry'>;
  readonly store: StoreBatch<Write, Answer>;
  readonly familyOf: (write: Write) => FamilyRef;
  readonly deadlineOf: (write: Write) => Deadline | undefined;
  /** The size of a write in bytes. */
  readonly weightOf: (write: Write) => number;
}

interface Item<Write> {
  readonly write: Write;
  readonly deadline: Deadline;
  /** The connection epoch in which the write was asked for. */
  readonly connectionEpoch: number;
}

const MAX_ITEMS = 128;
const MAX_CONCURRENT = 2;
/** Otherwise requests that arrive together are served by a large batch and a small one in turns, at a commit each. */
const GATHER_MS = 5;
/** The maximum size of a batch of one family. */
const MAX_BYTES = 1024 * 1024;
/** The limit of one wait for a family. After it, the writes of other families go first. */
const LONGEST_WAIT_MS = 500;

/**
 * Stores small writes of all families together, without a wait for locks. Large and blocked writes go into
 * batches of one family each, which wait for the lock.
 */
export function storeWrites<Write, Answer>({
  database: { pool, primary, isDry },
  store,
  familyOf,
  deadlineOf,
  weightOf,
}: Options<Write, Answer>): (write: Write) => Promise<Answer> {
  const storeItems: StoreItems<Write, Answer> = (items, waitMs) =>
    onConnection(pool, async (client) => {
      // The connection may be the first one to another server, which may lack what older writes were decided on.
      const isOld = new Set(
        items.filter(({ connectionEpoch }) => connectionEpoch !== primary.connectionEpoch),
      );
      const writes = items.filter((item) => !isOld.has(item)).map(({ write }) => write);
      const stored = (writes.length === 0 ? [] : await store(client, writes, waitMs)).values();
      return items.map((item) => (isOld.has(item) ? failedOver() : (stored.next().value as Outcome<Answer>)));
    });
  const common = {
    // The writes of a dry run must not see each other.
    maxItems: isDry ? 1 : MAX_ITEMS,
    maxConcurrent: MAX_CONCURRENT,
    tenantOf: ({ write }: Item<Write>) => familyNumber(familyOf(write)),
    isTooLate: (item: Item<Write>) => item.deadline.remainingMs() <= 0,
  };
  const together = shareStatements<Item<Write>, Outcome<Answer>>({
    ...common,
    gatherMs: GATHER_MS,
    tenants: 'exclusive',
    send: (items) => storeBatch(storeItems, items, null),
  });
  const apart = shareStatements<Item<Write>, Outcome<Answer>>({
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
      connectionEpoch: primary.connectionEpoch,
    };
    const isSmall = weightOf(write) <= SMALL_CHANGE_BYTES;
    let answer: Outcome<Answer> = isSmall ? await together(item) : BUSY;
    while (answer === BUSY) answer = await apart(item);
    if (answer instanceof DomainError) throw answer;
    return answer;
  };
}

type StoreItems<Write, Answer> = (
  items: readonly Item<Write>[],
  waitMs: number | null,
) => Promise<readonly Outcome<Answer>[]>;

function failedOver(): DomainError {
  return new DomainError('unavailable', 'The database has just failed over to another server.', {
    retryAfterSeconds: 1,
  });
}

/**
 * Stores a batch. If the server rejects its data, each write is retried alone, so that only the faulty one fails. After any
 * other error the batch may be stored, and nothing is sent again.
 */
async function storeBatch<Write, Answer>(
  store: StoreItems<Write, Answer>,
  items: readonly Item<Write>[],
  waitMs: number | null,
): Promise<readonly (Outcome<Answer> | Promise<Outcome<Answer>>)[]> {
  try {
    return await store(items, waitMs);
  } catch (error) {
    if (isBusy(error)) return items.map(() => BUSY);
    if (!isDataError(error) || items.length === 1) throw error;
  }
  const outcomes: Promise<Outcome<Answer>>[] = [];
  for (const item of items) {
    const outcome = storeBatch(store, [item], waitMs).then(([only]) => only as Outcome<Answer>);
    await outcome.catch(() => undefined);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** The time that a batch waits for its locks. */
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
  /** The number of a family in `locks`, counted from 1. */
  readonly numberInBatch: (family: FamilyRef) => number;
}

/** What a batch of writes locks and checks, as parameters of the functions that store it. */
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
