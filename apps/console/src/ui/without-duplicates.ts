/** An item that is unique in its list. */
export type Identified = { readonly id: number | string } | { readonly number: number };

export const idOf = (item: Identified): number | string => ('id' in item ? item.id : item.number);

/** New items shift older items onto the next page, so two pages can contain the same item. */
export function withoutDuplicates<T extends Identified>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}
