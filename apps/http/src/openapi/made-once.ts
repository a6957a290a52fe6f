/** Makes a value when it is needed first: most processes never serve the documentation. */
export function madeOnce<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
