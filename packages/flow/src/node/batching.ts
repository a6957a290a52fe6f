import { fairQueue } from '../fair-queue.ts';

interface Waiting<Item, Result, Caller> {
  readonly item: Item;
  readonly since: number;
  readonly caller: Caller;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (reason: unknown) => void;
}

export interface BatchingOptions<Item, Result, Caller> {
  /** Returns the results in the order of the items; some may be promises. A failure rejects every item. */
  readonly send: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
  readonly maxItems: number;
  /** The maximum size of a batch with several items, in bytes. */
  readonly maxBytes?: number;
  readonly bytesOf?: (item: Item) => number;
  readonly maxConcurrent: number;
  /**
   * How long a batch keeps gathering while batches with more items are in flight; by default not at all. It should be
   * short, because those batches may be blocked. All waiting items count, including those whose tenant is in flight.
   */
  readonly gatherMs?: number;
  readonly tenantOf: (item: Item) => number | string;
  /**
   * `mixed`: a batch has items of any tenants. `exclusive`: the same, but concurrent batches have no tenant in
   * common. `single`: a batch has items of one tenant, which is in no other concurrent batch.
   */
  readonly tenants?: 'mixed' | 'exclusive' | 'single';
  readonly isTooLate: (item: Item, waitedMs: number) => boolean;
  readonly rejection: () => Error;
  /** Captures the caller of an item, such as its span. */
  readonly caller: () => Caller;
  /** Runs the work of a batch on behalf of its callers. */
  readonly onBehalfOf: <T>(callers: readonly Caller[], work: () => T) => T;
}

/**
 * Gathers items into batches: all items of one tick, or all that arrive while other batches are in flight. Tenants take turns.
 */
export function batching<Item, Result, Caller>({
  send,
  maxItems,
  maxBytes = Infinity,
  bytesOf = () => 0,
  maxConcurrent,
  gatherMs = 0,
  tenantOf,
  tenants = 'mixed',
  isTooLate,
  rejection,
  caller,
  onBehalfOf,
}: BatchingOptions<Item, Result, Caller>): (item: Item) => Promise<Result> {
  const waiting = fairQueue<number | string, Waiting<Item, Result, Caller>>();
  const tenantsInFlight = new Set<number | string>();
  let inFlight = 0;
  let itemsInFlight = 0;
  let scheduled = false;
  let gathering: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    if (scheduled || inFlight === maxConcurrent || waiting.size === 0) return;
    if (gatherMs > 0 && waiting.size < itemsInFlight) {
      gathering ??= setTimeout(sendBatches, gatherMs);
      return;
    }
    scheduled = true;
    setImmediate(sendBatches);
  };

  const sendBatches = (): void => {
    scheduled = false;
    clearTimeout(gathering);
    gathering = undefined;
    while (inFlight < maxConcurrent) {
      const batch = nextBatch();
      if (batch.length === 0) return;
      const tenantsOfBatch = tenants === 'mixed' ? [] : batch.map(({ item }) => tenantOf(item));
      for (const tenant of tenantsOfBatch) tenantsInFlight.add(tenant);
      inFlight++;
      itemsInFlight += batch.length;
      void sendBatch(batch).then(() => {
        inFlight--;
        itemsInFlight -= batch.length;
        for (const tenant of tenantsOfBatch) tenantsInFlight.delete(tenant);
        schedule();
      });
    }
  };

  const nextBatch = (): readonly Waiting<Item, Result, Caller>[] => {
    const batch: Waiting<Item, Result, Caller>[] = [];
    const now = performance.now();
    let bytes = 0;
    let single: number | string | null = null;
    const fits = (tenant: number | string, { item }: Waiting<Item, Result, Caller>): boolean =>
      (single === null || tenant === single) &&
      !tenantsInFlight.has(tenant) &&
      (batch.length === 0 || bytes + bytesOf(item) <= maxBytes);
    while (batch.length < maxItems) {
      const next = waiting.next(fits);
      if (next === undefined) break;
      if (isTooLate(next.item, now - next.since)) {
        next.reject(rejection());
        continue;
      }
      batch.push(next);
      bytes += bytesOf(next.item);
      if (tenants === 'single') single = tenantOf(next.item);
    }
    return batch;
  };

  const sendBatch = async (batch: readonly Waiting<Item, Result, Caller>[]): Promise<void> => {
    try {
      const callers = batch.map((waiter) => waiter.caller);
      const results = await onBehalfOf(callers, () => send(batch.map(({ item }) => item)));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result | Promise<Result>);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.add(tenantOf(item), { item, since: performance.now(), caller: caller(), resolve, reject });
      schedule();
    });
}
