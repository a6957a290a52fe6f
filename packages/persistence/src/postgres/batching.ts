import { fairQueue, ranOutOfPatience } from '@plugin-config/domain';

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
}

interface Options<Item, Answer> {
  /** Answers in the order of the items, some perhaps later than others. Its failure is everybody's. */
  readonly send: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;
  /** The most items of a batch. */
  readonly most: number;
  /** The most bytes of a batch, unless a single item has more. */
  readonly mostBytes?: number;
  readonly weightOf?: (item: Item) => number;
  /** How many batches may travel at a time: while one is under way, the next gathers. */
  readonly lanes: number;
  /** Whose turn an item takes. */
  readonly keyOf: (item: Item) => number | string;
  /**
   * `mixed`: a batch holds items of any keys. `exclusive`: so it does, but no two batches under way hold items of
   * the same key. `single`: a batch holds items of one key, which is in no other batch under way.
   */
  readonly keys?: 'mixed' | 'exclusive' | 'single';
  /** Whether it is too late to send an item that has waited for so long. */
  readonly isTooLate: (item: Item, waitedMs: number) => boolean;
}

/** Lets what is asked within a tick, or while all lanes are taken, travel together; keys take turns. */
export function batching<Item, Answer>({
  send,
  most,
  mostBytes = Infinity,
  weightOf = () => 0,
  lanes,
  keyOf,
  keys = 'mixed',
  isTooLate,
}: Options<Item, Answer>): (item: Item) => Promise<Answer> {
  const waiting = fairQueue<number | string, Waiting<Item, Answer>>();
  const underWay = new Set<number | string>();
  let travelling = 0;
  let called = false;

  const call = (): void => {
    if (called || travelling === lanes || waiting.size === 0) return;
    called = true;
    setImmediate(depart);
  };

  const depart = (): void => {
    called = false;
    while (travelling < lanes) {
      const batch = nextBatch();
      if (batch.length === 0) return;
      const held = keys === 'mixed' ? [] : batch.map(({ item }) => keyOf(item));
      for (const key of held) underWay.add(key);
      travelling++;
      void travel(send, batch).then(() => {
        travelling--;
        for (const key of held) underWay.delete(key);
        call();
      });
    }
  };

  const nextBatch = (): readonly Waiting<Item, Answer>[] => {
    const batch: Waiting<Item, Answer>[] = [];
    const now = performance.now();
    let bytes = 0;
    let single: number | string | null = null;
    const fits = (key: number | string, { item }: Waiting<Item, Answer>): boolean =>
      (single === null || key === single) &&
      !underWay.has(key) &&
      (batch.length === 0 || bytes + weightOf(item) <= mostBytes);
    while (batch.length < most) {
      const next = waiting.next(fits);
      if (next === undefined) break;
      if (isTooLate(next.item, now - next.since)) {
        next.reject(ranOutOfPatience());
        continue;
      }
      batch.push(next);
      bytes += weightOf(next.item);
      if (keys === 'single') single = keyOf(next.item);
    }
    return batch;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.add(keyOf(item), { item, since: performance.now(), resolve, reject });
      call();
    });
}

async function travel<Item, Answer>(
  send: Options<Item, Answer>['send'],
  batch: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await send(batch.map(({ item }) => item));
    for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer | Promise<Answer>);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
