import { DomainError, familyNumber, patience, type FamilyRef, type Patience } from '@plugin-config/domain';
import { batching } from '../postgres/batching.ts';

/** The answer to a write whose family or plugin somebody else holds: nothing of it was done. */
export const HELD = Symbol('held');

/** Stores writes in one transaction. Takes only the families and plugins that are free, or waits for them for so long. */
export type StoreBatch<Write, Answer> = (
  writes: readonly Write[],
  waitMs: number | null,
) => Promise<readonly (Answer | typeof HELD)[]>;

interface Options<Write, Answer> {
  readonly store: StoreBatch<Write, Answer>;
  readonly familyOf: (write: Write) => FamilyRef;
  readonly patienceOf: (write: Write) => Patience | undefined;
  /** What it sends, in bytes. */
  readonly weightOf: (write: Write) => number;
  /** Whether it takes longer than others to store, for more than its weight. */
  readonly isSlow: (write: Write) => boolean;
}

interface Item<Write> {
  readonly write: Write;
  readonly patience: Patience;
}

const MAX_ITEMS = 128;
const MAX_CONCURRENT = 2;
/** What sends more goes apart. */
const SMALL_BYTES = 16 * 1024;
/** Of a batch that goes apart. */
const MAX_BYTES = 1024 * 1024;
/** Who waits for a family lets other families' writes go first whenever this is over. */
const LONGEST_WAIT_MS = 500;
const PATIENCE_MS = 4_000;

/**
 * Writes that are small and quick travel together, whatever their families, and wait for nobody. What is large, slow
 * or held by somebody else travels apart: a batch holds writes of one family, and waits for it.
 */
export function storeWrites<Write, Answer>({
  store,
  familyOf,
  patienceOf,
  weightOf,
  isSlow,
}: Options<Write, Answer>): (write: Write) => Promise<Answer> {
  const common = {
    maxItems: MAX_ITEMS,
    maxConcurrent: MAX_CONCURRENT,
    keyOf: ({ write }: Item<Write>) => familyNumber(familyOf(write)),
    isTooLate: ({ patience: { left } }: Item<Write>) => left() <= 0,
  };
  const together = batching<Item<Write>, Answer | typeof HELD>({
    ...common,
    keys: 'exclusive',
    send: (items) => orApart(items, () => store(writesOf(items), null)),
  });
  const apart = batching<Item<Write>, Answer | typeof HELD>({
    ...common,
    keys: 'single',
    maxBytes: MAX_BYTES,
    bytesOf: ({ write }) => weightOf(write),
    send: (items) => storeFamily(store, items),
  });
  return async (write) => {
    const item = { write, patience: patienceOf(write) ?? patience(PATIENCE_MS, () => performance.now()) };
    const isSmall = weightOf(write) <= SMALL_BYTES && !isSlow(write);
    let answer = isSmall ? await together(item) : HELD;
    while (answer === HELD) answer = await apart(item);
    return answer;
  };
}

/** Writes of one family. Where they fail for another reason than their time, each goes for itself: only the culprit fails. */
async function storeFamily<Write, Answer>(
  store: StoreBatch<Write, Answer>,
  items: readonly Item<Write>[],
): Promise<readonly (Answer | typeof HELD | Promise<Answer | typeof HELD>)[]> {
  const lefts = items.map(({ patience: { left } }) => left());
  const waitMs = Math.ceil(Math.max(1, Math.min(LONGEST_WAIT_MS, ...lefts)));
  try {
    return await orWait(items, () => store(writesOf(items), waitMs));
  } catch (error) {
    if (error instanceof DomainError || items.length === 1) throw error;
    return oneByOne(items, async (item) => {
      const [answer] = await orWait([item], () => store([item.write], waitMs));
      return answer as Answer | typeof HELD;
    });
  }
}

type Answers<Answer> = readonly (Answer | typeof HELD)[];

/** A batch that somebody else holds up, or that fails for one of its writes, is held against none of the others. */
async function orApart<Answer>(
  items: readonly unknown[],
  work: () => Promise<Answers<Answer>>,
): Promise<Answers<Answer>> {
  try {
    return await orWait(items, work);
  } catch (error) {
    if (error instanceof DomainError || items.length === 1) throw error;
    return items.map(() => HELD);
  }
}

async function orWait<Answer>(
  items: readonly unknown[],
  work: () => Promise<Answers<Answer>>,
): Promise<Answers<Answer>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'busy') throw error;
    return items.map(() => HELD);
  }
}

function oneByOne<Asked, Answer>(
  items: readonly Asked[],
  work: (item: Asked) => Promise<Answer>,
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
