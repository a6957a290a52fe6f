/** Slots shared by several tenants. None of them can take them all. */
export interface FairSlots<Tenant> {
  readonly free: number;
  /** The tenants that cannot take a slot now. */
  readonly full: readonly Tenant[];
  /** Takes a slot if more slots are free than the tenant has: some are left for others, however few there are. */
  take(tenant: Tenant): boolean;
  /** Returns a slot of the tenant. */
  give(tenant: Tenant): void;
}

/** @param maxPerTenant the maximum number of slots of one tenant */
export function fairSlots<Tenant>(slots: number, maxPerTenant = slots): FairSlots<Tenant> {
  const perTenant = new Map<Tenant, number>();
  let free = slots;
  const slotsOf = (tenant: Tenant): number => perTenant.get(tenant) ?? 0;
  const isFull = (tenant: Tenant): boolean => slotsOf(tenant) >= Math.min(free, maxPerTenant);
  return {
    get free() {
      return free;
    },
    get full() {
      return [...perTenant.keys()].filter(isFull);
    },
    take(tenant) {
      if (isFull(tenant)) return false;
      perTenant.set(tenant, slotsOf(tenant) + 1);
      free--;
      return true;
    },
    give(tenant) {
      if (slotsOf(tenant) > 1) perTenant.set(tenant, slotsOf(tenant) - 1);
      else perTenant.delete(tenant);
      free++;
    },
  };
}
