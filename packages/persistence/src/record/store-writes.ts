import {
  PATIENCE_MS,
  DomainError,
  familyNumber,
  SMALL_CHANGE_BYTES,
  type FamilyRef,
} from '@plugin-config/domain';
import { patience, type Patience } from '@plugin-config/flow';
import { isBusy } from '../postgres/busy.ts';
import { shareStatements } from '../postgres/share-statements.ts';

/** The answer to a write whose family or plugin is locked by others: nothing was stored. */
export const BUSY = Symbol('busy');

/** Stores writes in one transaction. Locks only free families and plugins, or waits for locks for `waitMs`. */
export type StoreBatch<Write, Answer> = (
  writes: readonly Write[],
  waitMs: number | null,
) => Promise<Answers<Answer>>;

interface Options<Write, Answer> {
  /** Stores each write in a batch of its own, where the writes of a batch must not see each other. */
  readonly isDry: boolean;
  readonly store: StoreBatch<Write, Answer>;
  readonly familyOf: (write: Write) => FamilyRef;
  readonly patienceOf: (write: Write) => Patience | undefined;
  /** The size of a write in bytes. */
  readonly weightOf: (write: Write) => number;
}

interface Item<Write> {
  readonly write: Write;
  readonly patience: Patience;
}

type Answers<Answer> = readonly (Answer | typeof BUSY)[];

const MAX_ITEMS = 128;
const MAX_CONCURRENT = 2;
/** The maximum size of a batch of one family. */
const MAX_BYTES = 1024 * 1024;
/** The limit of one wait for a family. After it, the writes of other families go first. */
const LONGEST_WAIT_MS = 500;

/**
 * Stores small writes of all families together, without a wait for locks. Large and blocked writes go into
 * batches of one family each, which wait for the lock.
 */
export function storeWrites<Write, Answer>({
  isDry,
  store,
  familyOf,
  patienceOf,
  weightOf,
}: Options<Write, Answer>): (write: Write) => Promise<Answer> {
  const common = {
    maxItems: isDry ? 1 : MAX_ITEMS,
    maxConcurrent: MAX_CONCURRENT,
    tenantOf: ({ write }: Item<Write>) => familyNumber(familyOf(write)),
    isTooLate: ({ patience: { left } }: Item<Write>) => left() <= 0,
  };
  const together = shareStatements<Item<Write>, Answer | typeof BUSY>({
    ...common,
    tenants: 'exclusive',
    send: (items) => storeTogether(store, items),
  });
  const apart = shareStatements<Item<Write>, Answer | typeof BUSY>({
    ...common,
    tenants: 'single',
    maxBytes: MAX_BYTES,
    bytesOf: ({ write }) => weightOf(write),
    send: (items) => storeFamily(store, items),
  });
  return async (write) => {
    const item = { write, patience: patienceOf(write) ?? patience(PATIENCE_MS, () => performance.now()) };
    const isSmall = weightOf(write) <= SMALL_CHANGE_BYTES;
    let answer = isSmall ? await together(item) : BUSY;
    while (answer === BUSY) answer = await apart(item);
    return answer;
  };
}

/** Stores writes of all families. Sends all writes of a blocked or failed batch on to the batches of their families. */
async function storeTogether<Write, Answer>(
  store: StoreBatch<Write, Answer>,
  items: readonly Item<Write>[],
): Promise<Answers<Answer>> {
  try {
    return await store(writesOf(items), null);
  } catch (error) {
    const isLone = items.length === 1;
    if (!isBusy(error) && (isLone || error instanceof DomainError)) throw error;
    return items.map(() => BUSY);
  }
}

/**
 * Stores writes of one family. If the batch fails for a reason other than time, each write is retried alone, so that
 * only the faulty one fails.
 */
async function storeFamily<Write, Answer>(
  store: StoreBatch<Write, Answer>,
  items: readonly Item<Write>[],
): Promise<readonly (Answer | typeof BUSY | Promise<Answer | typeof BUSY>)[]> {
  const lefts = items.map(({ patience: { left } }) => left());
  const waitMs = Math.ceil(Math.max(1, Math.min(LONGEST_WAIT_MS, ...lefts)));
  try {
    return await store(writesOf(items), waitMs);
  } catch (error) {
    if (isBusy(error)) return items.map(() => BUSY);
    if (error instanceof DomainError || items.length === 1) throw error;
    return oneByOne(items, async (item) => {
      const [answer] = await storeFamily(store, [item]);
      return answer as Answer | typeof BUSY;
    });
  }
}

function oneByOne<Write, Answer>(
  items: readonly Write[],
  work: (item: Write) => Promise<Answer>,
): readonly Promise<Answer>[] {
  let last: Promise<unknown> = Promise.resolve();
  return items.map((item) => {
    const own = last.then(() => work(item));
    last = own.catch(() => undefined);
    return own;
  });
}

function writesOf<Write>(items: readonly Item<Write>[]): readonly Write[] {
  return items.map(({ write }) => write);
}

interface BatchLocks {
  /** The plugins, and the projects and families of the families. */
  readonly locks: readonly [readonly number[], readonly number[], readonly string[]];
  /** The number of a family in `locks`, counted from 1. */
  readonly numberInBatch: (family: FamilyRef) => number;
}

/** The locks of a batch of writes, as parameters of the functions that store it. */
export function locksOf(refs: readonly FamilyRef[], plugins: readonly number[]): BatchLocks {
  const families = [...new Map(refs.map((ref) => [familyNumber(ref), ref])).values()];
  const numbers = new Map(families.map((ref, i) => [familyNumber(ref), i + 1]));
  return {
    locks: [
      [...new Set(plugins)],
      families.map(({ projectId }) => projectId),
      families.map(({ family }) => family),
    ],
    numberInBatch: (family) => numbers.get(familyNumber(family)) ?? 0,
  };
}
