/** A queue in which keys (projects, API keys) take turns. Each key has a line of its own. */
export interface FairQueue<Key, Item> {
  readonly size: number;
  /** Appends an item to the line of a key. An item may be in the queue only once. */
  add(key: Key, item: Item): void;
  /**
   * Takes the first item of the key whose turn it is; the next turn of the key comes after those of all others. A key
   * whose first item does not fit now keeps its turn.
   */
  next(fits?: (key: Key, item: Item) => boolean): Item | undefined;
  /** Removes an item. Returns whether it was in the queue. */
  remove(key: Key, item: Item): boolean;
}

export function fairQueue<Key, Item>(): FairQueue<Key, Item> {
  /** The lines in the order of their turns. No line is empty. */
  const lines = new Map<Key, Set<Item>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(key, item) {
      const line = lines.get(key);
      if (line === undefined) lines.set(key, new Set([item]));
      else line.add(item);
      size++;
    },
    next(fits = () => true) {
      for (const [key, line] of lines) {
        const { value: item, done } = line.values().next();
        if (done === true || !fits(key, item)) continue;
        lines.delete(key);
        line.delete(item);
        if (line.size > 0) lines.set(key, line);
        size--;
        return item;
      }
      return undefined;
    },
    remove(key, item) {
      const line = lines.get(key);
      if (line?.delete(item) !== true) return false;
      if (line.size === 0) lines.delete(key);
      size--;
      return true;
    },
  };
}
