/** A memory budget shared by several tenants. None of them can use up what others need. */
export interface ByteBudget<Tenant> {
  readonly used: number;
  /** Opens an empty reservation. */
  reservation(tenant: Tenant): ByteReservation;
}

export interface ByteReservation {
  /**
   * Takes more memory if at least as much stays free as the tenant then has: some is left for others, however many
   * there are. If the budget refuses, the reservation keeps what it has.
   */
  take(bytes: number): 'granted' | 'budget full' | 'share exceeded';
  /** Returns a part of the memory. */
  give(bytes: number): void;
  /** Returns all of the memory. Safe to repeat; a released reservation cannot take any more. */
  release(): void;
}

interface Options {
  readonly bytes: number;
  /** The maximum of one tenant, in all its reservations together. */
  readonly share: number;
}

export function byteBudget<Tenant>({ bytes: limit, share }: Options): ByteBudget<Tenant> {
  const perTenant = new Map<Tenant, number>();
  let used = 0;
  const bytesOf = (tenant: Tenant): number => perTenant.get(tenant) ?? 0;
  const add = (tenant: Tenant, bytes: number): void => {
    used += bytes;
    const own = bytesOf(tenant) + bytes;
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
        take(bytes) {
          const wanted = bytesOf(tenant) + bytes;
          if (wanted > share) return 'share exceeded';
          if (released || wanted > limit - used - bytes) return 'budget full';
          own += bytes;
          add(tenant, bytes);
          return 'granted';
        },
        give(bytes) {
          own -= bytes;
          add(tenant, -bytes);
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
