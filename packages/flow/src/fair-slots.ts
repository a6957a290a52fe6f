/** Slots shared by several tenants. None of them can take them all. */
export interface FairSlots<Tenant> {
  readonly free: number;
  /** The tenants that cannot take a slot now. */
  readonly full: readonly Tenant[];
  /** Takes a slot if more slots are free than the tenant has: some are left for others, however few there are. */
  take(tenant: Tenant): boolean;
  /** Returns a slot of the tenant. */
  give(tenant: Tenant): void;
  /** Returns a slot that stays closed to its tenant until `reopen`. Others may take it. */
  coolDown(tenant: Tenant): void;
  reopen(tenant: Tenant): void;
}

/** @param maxPerTenant the maximum number of slots of one tenant */
export function fairSlots<Tenant>(slots: number, maxPerTenant = slots): FairSlots<Tenant> {
  const taken = counts<Tenant>();
  const cooling = counts<Tenant>();
  let free = slots;
  const isFull = (tenant: Tenant): boolean =>
    taken.of(tenant) >= free || taken.of(tenant) + cooling.of(tenant) >= maxPerTenant;
  const give = (tenant: Tenant): void => {
    taken.add(tenant, -1);
    free++;
  };
  return {
    get free() {
      return free;
    },
    get full() {
      return taken.all().filter(isFull);
    },
    take(tenant) {
      if (isFull(tenant)) return false;
      taken.add(tenant, 1);
      free--;
      return true;
    },
    give,
    coolDown(tenant) {
      give(tenant);
      cooling.add(tenant, 1);
    },
    reopen: (tenant) => cooling.add(tenant, -1),
  };
}

/** Counts by tenant; a tenant whose count is 0 takes no memory. */
function counts<Tenant>() {
  const all = new Map<Tenant, number>();
  const of = (tenant: Tenant): number => all.get(tenant) ?? 0;
  return {
    of,
    all: (): readonly Tenant[] => [...all.keys()],
    add(tenant: Tenant, n: 1 | -1): void {
      if (of(tenant) + n === 0) all.delete(tenant);
      else all.set(tenant, of(tenant) + n);
    },
  };
}
