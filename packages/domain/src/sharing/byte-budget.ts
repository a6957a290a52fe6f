/** A memory budget shared by several holders, such as tenants. No holder can use up what others need. */
export interface ByteBudget<Holder> {
  readonly used: number;
  /** Opens an empty claim. */
  claim(holder: Holder): ByteClaim;
}

export interface ByteClaim {
  /**
   * Takes more memory if at least as much stays free as the holder then has: some is left for others, however many
   * there are. If the budget refuses, the claim keeps what it has.
   */
  take(bytes: number): 'granted' | 'budget full' | 'share exceeded';
  /** Returns a part of the memory. */
  give(bytes: number): void;
  /** Returns all of the memory. Safe to repeat; a released claim cannot take any more. */
  release(): void;
}

interface Options {
  readonly bytes: number;
  /** The maximum of one holder, in all its claims together. */
  readonly share: number;
}

export function byteBudget<Holder>({ bytes: limit, share }: Options): ByteBudget<Holder> {
  const held = new Map<Holder, number>();
  let used = 0;
  const heldBy = (holder: Holder): number => held.get(holder) ?? 0;
  const add = (holder: Holder, bytes: number): void => {
    used += bytes;
    const own = heldBy(holder) + bytes;
    if (own > 0) held.set(holder, own);
    else held.delete(holder);
  };
  return {
    get used() {
      return used;
    },
    claim(holder) {
      let own = 0;
      let released = false;
      return {
        take(bytes) {
          const wanted = heldBy(holder) + bytes;
          if (wanted > share) return 'share exceeded';
          if (released || wanted > limit - used - bytes) return 'budget full';
          own += bytes;
          add(holder, bytes);
          return 'granted';
        },
        give(bytes) {
          own -= bytes;
          add(holder, -bytes);
        },
        release() {
          released = true;
          add(holder, -own);
          own = 0;
        },
      };
    },
  };
}
