import type { StopSignal } from '../stop-signal.ts';

/** Gathers single items into batches. A batch is ready when it is full or its first item has waited long enough. */
export interface Gatherer<Item> {
  add(item: Item): void;
  /** Makes `batches` throw the reason. */
  end(reason: Error): void;
  /** Takes the items that are not in any batch. */
  rest(): readonly Item[];
  batches(signal: StopSignal): AsyncGenerator<readonly Item[], void>;
}

interface Options<Item> {
  readonly maxItems: number;
  /** The maximum total size of a batch with several items. */
  readonly maxSize: number;
  readonly sizeOf: (item: Item) => number;
  /** How long an item waits for others. */
  readonly maxAgeMs: number;
}

export function gatherer<Item>({ maxItems, maxSize, sizeOf, maxAgeMs }: Options<Item>): Gatherer<Item> {
  let waiting: Item[] = [];
  let size = 0;
  /** When the first waiting item was added, or left behind by the last batch. */
  let since = 0;
  let ended: Error | null = null;
  let woken = Promise.withResolvers<void>();

  const isFull = (): boolean => waiting.length >= maxItems || size >= maxSize;
  const age = (): number => performance.now() - since;
  const isDue = (): boolean => isFull() || (waiting.length > 0 && age() >= maxAgeMs);

  /** Returns how many items from the front fit into a batch; at least one. */
  const countThatFit = (): number => {
    let sum = 0;
    const end = waiting.findIndex((item, i) => i === maxItems || (sum += sizeOf(item)) > maxSize);
    return end === -1 ? waiting.length : Math.max(1, end);
  };
  const take = (): readonly Item[] => {
    const batch = waiting.splice(0, countThatFit());
    size -= batch.reduce((sum, item) => sum + sizeOf(item), 0);
    since = performance.now();
    return batch;
  };
  const wake = (): void => woken.resolve();
  const wait = async (): Promise<void> => {
    woken = Promise.withResolvers();
    const timer = waiting.length > 0 ? setTimeout(wake, Math.max(0, maxAgeMs - age())) : undefined;
    await woken.promise;
    clearTimeout(timer);
  };

  return {
    add(item) {
      if (waiting.length === 0) since = performance.now();
      waiting.push(item);
      size += sizeOf(item);
      if (waiting.length === 1 || isFull()) wake();
    },
    end(reason) {
      ended ??= reason;
      wake();
    },
    rest() {
      const rest = waiting;
      waiting = [];
      size = 0;
      return rest;
    },
    async *batches(signal) {
      signal.addEventListener('abort', wake);
      try {
        while (!signal.aborted) {
          if (ended !== null) throw ended;
          if (isDue()) yield take();
          else await wait();
        }
      } finally {
        signal.removeEventListener('abort', wake);
      }
    },
  };
}
