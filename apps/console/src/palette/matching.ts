/** How well a title matches a text: at its start, at the start of a word, or anywhere; null if not at all. */
function rankOf(title: string, text: string): number | null {
  const at = title.indexOf(text);
  if (at === -1) return null;
  if (at === 0) return 0;
  return title.includes(` ${text}`) ? 1 : 2;
}

/** Returns the items whose titles contain the text, the best matches first and otherwise in their order. */
export function matching<T extends { readonly title: string }>(
  items: readonly T[],
  text: string,
): readonly T[] {
  const wanted = text.trim().toLowerCase();
  return items
    .map((item) => ({ item, rank: rankOf(item.title.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ item }) => item);
}
