export interface Distinct<Item> {
  /** The first item of each kind. */
  readonly firsts: readonly Item[];
  /** For each item, the index of its kind in `firsts`. */
  readonly indexes: readonly number[];
}

export function distinctBy<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string | number,
): Distinct<Item> {
  const known = new Map<string | number, number>();
  const firsts: Item[] = [];
  const indexes = items.map((item) => {
    const kind = kindOf(item);
    const index = known.get(kind) ?? firsts.push(item) - 1;
    known.set(kind, index);
    return index;
  });
  return { firsts, indexes };
}
