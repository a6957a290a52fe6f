export interface Distinct<Item> {
  /** The first of each kind. */
  readonly firsts: readonly Item[];
  /** Of each item, where the first of its kind stands. */
  readonly places: readonly number[];
}

export function distinctBy<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string | number,
): Distinct<Item> {
  const known = new Map<string | number, number>();
  const firsts: Item[] = [];
  let last: string | number | undefined;
  let place = -1;
  const places = items.map((item) => {
    const kind = kindOf(item);
    // Neighbours are often of one kind, and to compare two texts is less than to find one.
    if (kind !== last) {
      place = known.get(kind) ?? firsts.push(item) - 1;
      known.set(kind, place);
      last = kind;
    }
    return place;
  });
  return { firsts, places };
}
