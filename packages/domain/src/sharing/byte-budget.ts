/** An amount of memory that several holders share. A holder is whoever must not use up what others need: a tenant. */
export interface ByteBudget<Holder> {
  readonly used: number;
  /** Opens a claim that holds nothing yet. */
  claim(holder: Holder): ByteClaim;
}

export interface ByteClaim {
  /**
   * Takes more, if as much is free afterwards as the holder then has: some is left for others, however many they are.
   * Where the budget refuses, the claim keeps what it already holds.
   */
  take(bytes: number): 'granted' | 'budget full' | 'share exceeded';
  /** Gives part of it back. */
  give(bytes: number): void;
  /** Gives all of it back. Safe to repeat; a released claim can take nothing any more. */
  release(): void;
}

interface Options {
  readonly bytes: number;
  /** The most that one holder may have, in all its claims together. */
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
