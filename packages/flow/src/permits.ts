/** A limited number of permits for concurrent work, shared fairly by tenants. */
export interface Permits {
  readonly free: number;
  /** The tenants that cannot take a permit at the moment. */
  readonly full: readonly number[];
  /**
   * Takes a permit, or returns false. A tenant gets one while more than the reserve is free, or while more permits
   * are free than it holds. A single tenant may thus use everything except the reserve, and a new tenant still finds
   * a permit.
   */
  take(tenant: number): boolean;
  give(tenant: number): void;
}

/** @param reserve permits that a tenant gets only while it holds fewer than are free; by default all of them */
export function permits(max: number, reserve = max): Permits {
  const held = new Map<number, number>();
  let free = max;
  const heldBy = (tenant: number): number => held.get(tenant) ?? 0;
  const mayTake = (tenant: number): boolean => free > reserve || heldBy(tenant) < free;
  return {
    get free() {
      return free;
    },
    get full() {
      return [...held.keys()].filter((tenant) => !mayTake(tenant));
    },
    take(tenant) {
      if (!mayTake(tenant)) return false;
      held.set(tenant, heldBy(tenant) + 1);
      free--;
      return true;
    },
    give(tenant) {
      const remaining = heldBy(tenant) - 1;
      if (remaining > 0) held.set(tenant, remaining);
      else held.delete(tenant);
      free++;
    },
  };
}
