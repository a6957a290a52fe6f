/** Slots that several holders share. A holder is whoever must not take all of them: a project. */
export interface FairSlots<Holder> {
  readonly free: number;
  /** Those who may take no slot at the moment. */
  readonly full: readonly Holder[];
  /** Takes a slot, if more are free than the holder has: some are left for others, however few there are. */
  take(holder: Holder): boolean;
  /** Gives back a slot that the holder has taken. */
  give(holder: Holder): void;
}

/** @param mostOfOne the most that one holder ever has */
export function fairSlots<Holder>(slots: number, mostOfOne = slots): FairSlots<Holder> {
  const held = new Map<Holder, number>();
  let free = slots;
  const heldBy = (holder: Holder): number => held.get(holder) ?? 0;
  const isFull = (holder: Holder): boolean => heldBy(holder) >= Math.min(free, mostOfOne);
  return {
    get free() {
      return free;
    },
    get full() {
      return [...held.keys()].filter(isFull);
    },
    take(holder) {
      if (isFull(holder)) return false;
      held.set(holder, heldBy(holder) + 1);
      free--;
      return true;
    },
    give(holder) {
      if (heldBy(holder) > 1) held.set(holder, heldBy(holder) - 1);
      else held.delete(holder);
      free++;
    },
  };
}
