/** Memory for what has been received and is not stored yet. */
export interface ByteBudget {
  readonly used: number;
  /** Takes as much of it for the holder; what it cannot have it is told, and then has as much as before. */
  take(holder: number, bytes: number): 'granted' | 'full' | 'more than its share';
  give(holder: number, bytes: number): void;
}

interface Options {
  readonly bytes: number;
  /** The most that one holder may have. */
  readonly share: number;
}

export function byteBudget({ bytes: all, share }: Options): ByteBudget {
  const held = new Map<number, number>();
  let used = 0;
  return {
    get used() {
      return used;
    },
    take(holder, bytes) {
      const own = (held.get(holder) ?? 0) + bytes;
      if (own > share) return 'more than its share';
      if (used + bytes > all) return 'full';
      used += bytes;
      held.set(holder, own);
      return 'granted';
    },
    give(holder, bytes) {
      used -= bytes;
      const left = (held.get(holder) ?? 0) - bytes;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
    },
  };
}
