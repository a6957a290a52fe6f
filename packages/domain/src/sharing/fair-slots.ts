/** Slots shared by several holders, such as projects. No holder can take them all. */
export interface FairSlots<Holder> {
  readonly free: number;
  /** The holders that cannot take a slot now. */
  readonly full: readonly Holder[];
  /** Takes a slot if more slots are free than the holder has: some are left for others, however few there are. */
  take(holder: Holder): boolean;
  /** Returns a slot of the holder. */
  give(holder: Holder): void;
}

/** @param maxPerHolder the maximum number of slots of one holder */
export function fairSlots<Holder>(slots: number, maxPerHolder = slots): FairSlots<Holder> {
  const held = new Map<Holder, number>();
  let free = slots;
  const heldBy = (holder: Holder): number => held.get(holder) ?? 0;
  const isFull = (holder: Holder): boolean => heldBy(holder) >= Math.min(free, maxPerHolder);
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
