/** An amount, such as bytes or streams, shared by tenants. No tenant can use up what others need. */
export interface Budget {
  readonly used: number;
  reservation(tenant: number): Reservation;
}

export interface Reservation {
  /**
   * Takes more if the tenant would then hold no more than what is left, so there is always something left for other
   * tenants. Otherwise leaves the reservation unchanged.
   */
  take(amount: number): 'granted' | 'budget full' | 'share exceeded';
  give(amount: number): void;
  /** Returns everything. Safe to repeat; a released reservation cannot take any more. */
  release(): void;
}

interface Options {
  readonly amount: number;
  /** The maximum for one tenant across all its reservations. */
  readonly share: number;
}

export function budget({ amount: total, share }: Options): Budget {
  const perTenant = new Map<number, number>();
  let used = 0;
  const usedBy = (tenant: number): number => perTenant.get(tenant) ?? 0;
  const add = (tenant: number, amount: number): void => {
    used += amount;
    const own = usedBy(tenant) + amount;
    if (own > 0) perTenant.set(tenant, own);
    else perTenant.delete(tenant);
  };
  return {
    get used() {
      return used;
    },
    reservation(tenant) {
      let own = 0;
      let released = false;
      return {
        take(amount) {
          const wouldHold = usedBy(tenant) + amount;
          if (wouldHold > share) return 'share exceeded';
          if (released || wouldHold > total - used - amount) return 'budget full';
          own += amount;
          add(tenant, amount);
          return 'granted';
        },
        give(amount) {
          own -= amount;
          add(tenant, -amount);
        },
        release() {
          released = true;
          add(tenant, -own);
          own = 0;
        },
      };
    },
  };
}
