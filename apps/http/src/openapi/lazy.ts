/** Creates a value on first use: most processes never serve the documentation. */
export function lazy<T extends object>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}
