/** An amount of memory that several holders share. The holder is whoever must not use up the share of others: a key. */
export interface ByteBudget {
  readonly used: number;
  /** Opens a claim that holds nothing yet. */
  claim(holder: number): ByteClaim;
}

export interface ByteClaim {
  readonly bytes: number;
  /** Takes more. Where the budget refuses, the claim keeps what it already holds. */
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

export function byteBudget({ bytes: limit, share }: Options): ByteBudget {
  const held = new Map<number, number>();
  let used = 0;
  const add = (holder: number, bytes: number): void => {
    used += bytes;
    const own = (held.get(holder) ?? 0) + bytes;
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
        get bytes() {
          return own;
        },
        take(bytes) {
          if (released || used + bytes > limit) return 'budget full';
          if ((held.get(holder) ?? 0) + bytes > share) return 'share exceeded';
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
