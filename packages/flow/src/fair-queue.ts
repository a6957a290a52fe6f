/** A queue that serves tenants round robin. */
export interface FairQueue<Tenant, Item> {
  readonly size: number;
  /** Appends an item to its tenant's queue. An item may be queued only once. */
  add(tenant: Tenant, item: Item): void;
  /**
   * Takes the first item of the next tenant, which then goes to the back. A tenant whose first item does not fit
   * keeps its turn.
   */
  next(fits?: (tenant: Tenant, item: Item) => boolean): Item | undefined;
  /** Removes an item, and returns whether it was queued. */
  remove(tenant: Tenant, item: Item): boolean;
}

export function fairQueue<Tenant, Item>(): FairQueue<Tenant, Item> {
  /** The items of each tenant, in round robin order. No set is empty. */
  const waiting = new Map<Tenant, Set<Item>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(tenant, item) {
      const items = waiting.get(tenant);
      if (items === undefined) waiting.set(tenant, new Set([item]));
      else items.add(item);
      size++;
    },
    next(fits = () => true) {
      for (const [tenant, items] of waiting) {
        const { value: item, done } = items.values().next();
        if (done === true || !fits(tenant, item)) continue;
        waiting.delete(tenant);
        items.delete(item);
        if (items.size > 0) waiting.set(tenant, items);
        size--;
        return item;
      }
      return undefined;
    },
    remove(tenant, item) {
      const items = waiting.get(tenant);
      if (items?.delete(item) !== true) return false;
      if (items.size === 0) waiting.delete(tenant);
      size--;
      return true;
    },
  };
}
