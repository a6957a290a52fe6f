/** A queue in which callers take turns: each key (a project, an API key) has a line of its own. */
export interface FairQueue<Key, Item> {
  readonly size: number;
  /** Puts an item at the end of the key's line. An item waits in one place at a time. */
  add(key: Key, item: Item): void;
  /**
   * Takes the first item of the key whose turn it is; that key's next turn comes after all others'. A key whose first
   * item does not fit now keeps its turn.
   */
  next(fits?: (key: Key, item: Item) => boolean): Item | undefined;
  /** Takes out an item that need not wait any longer. Answers whether it was there. */
  remove(key: Key, item: Item): boolean;
}

export function fairQueue<Key, Item>(): FairQueue<Key, Item> {
  /** In the order of their turns. No line is empty. */
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
