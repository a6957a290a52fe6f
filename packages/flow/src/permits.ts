/** A limited number of permits for work that runs at the same time, shared fairly by tenants. */
export interface Permits {
  readonly free: number;
  /** The tenants that cannot take a permit now. */
  readonly full: readonly number[];
  /**
   * Takes a permit, or returns false. A tenant gets one while more than the reserve is free, or while more are free than it
   * holds. So a tenant alone may use everything but the reserve, and a newcomer finds a permit.
   */
  take(tenant: number): boolean;
  /** Returns a permit of the tenant. */
  give(tenant: number): void;
}

/** @param reserve the permits that a tenant gets only while it holds fewer than are free; by default all of them */
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
      const left = heldBy(tenant) - 1;
      if (left > 0) held.set(tenant, left);
      else held.delete(tenant);
      free++;
    },
  };
}
