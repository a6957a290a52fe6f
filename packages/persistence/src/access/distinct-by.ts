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
  const places = items.map((item) => {
    const kind = kindOf(item);
    const place = known.get(kind) ?? firsts.push(item) - 1;
    known.set(kind, place);
    return place;
  });
  return { firsts, places };
}
