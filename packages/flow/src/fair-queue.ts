/** A queue in which tenants take turns. */
export interface FairQueue<Tenant, Item> {
  readonly size: number;
  /** Appends an item to those of its tenant. An item may be in the queue only once. */
  add(tenant: Tenant, item: Item): void;
  /**
   * Takes the first item of the tenant whose turn it is. The next turn of this tenant comes after those of all others.
   * A tenant whose first item does not fit now keeps its turn.
   */
  next(fits?: (tenant: Tenant, item: Item) => boolean): Item | undefined;
  /** Removes an item. Returns whether it was in the queue. */
  remove(tenant: Tenant, item: Item): boolean;
}

export function fairQueue<Tenant, Item>(): FairQueue<Tenant, Item> {
  /** The items of each tenant, in the order of the turns. No set is empty. */
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
