/** An amount, such as bytes or streams, that tenants share. None of them can use up what others need. */
export interface Budget {
  readonly used: number;
  /** Opens an empty reservation. */
  reservation(tenant: number): Reservation;
}

export interface Reservation {
  /**
   * Takes more if at least as much stays free as the tenant then has: some is left for others, however many there are.
   * Otherwise the reservation keeps what it has.
   */
  take(amount: number): 'granted' | 'budget full' | 'share exceeded';
  /** Returns a part. */
  give(amount: number): void;
  /** Returns everything. Safe to repeat; a released reservation cannot take any more. */
  release(): void;
}

interface Options {
  readonly amount: number;
  /** The maximum of one tenant, in all its reservations together. */
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
          const wanted = usedBy(tenant) + amount;
          if (wanted > share) return 'share exceeded';
          if (released || wanted > total - used - amount) return 'budget full';
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
