/** Slots shared by several tenants. None of them can take them all. */
export interface FairSlots<Tenant> {
  readonly free: number;
  /** The tenants that cannot take a slot now. */
  readonly full: readonly Tenant[];
  /** Takes a slot if more slots are free than the tenant has: some are left for others, however few there are. */
  take(tenant: Tenant): boolean;
  /** Returns a slot of the tenant. */
  give(tenant: Tenant): void;
  /** Returns a slot that stays closed to its tenant until `wake`. Others may take it. */
  rest(tenant: Tenant): void;
  wake(tenant: Tenant): void;
}

/** @param maxPerTenant the maximum number of slots of one tenant */
export function fairSlots<Tenant>(slots: number, maxPerTenant = slots): FairSlots<Tenant> {
  const taken = counts<Tenant>();
  const resting = counts<Tenant>();
  let free = slots;
  const isFull = (tenant: Tenant): boolean =>
    taken.of(tenant) >= free || taken.of(tenant) + resting.of(tenant) >= maxPerTenant;
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
    rest(tenant) {
      give(tenant);
      resting.add(tenant, 1);
    },
    wake: (tenant) => resting.add(tenant, -1),
  };
}

/** Counts by key; a key whose count is 0 takes no memory. */
function counts<Key>() {
  const all = new Map<Key, number>();
  const of = (key: Key): number => all.get(key) ?? 0;
  return {
    of,
    all: (): readonly Key[] => [...all.keys()],
    add(key: Key, n: 1 | -1): void {
      if (of(key) + n === 0) all.delete(key);
      else all.set(key, of(key) + n);
    },
  };
}
