interface Outcome<T> {
  /** The items whose work succeeded, in their order. */
  readonly done: readonly T[];
  readonly errors: readonly Error[];
}

/** Does the work of all items, at most `limit` at once. A failure does not stop the others. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<Outcome<T>> {
  const done = new Set<T>();
  const errors: Error[] = [];
  const rest = items.values();
  const runNext = async (): Promise<void> => {
    for (const item of rest) {
      try {
        await work(item);
        done.add(item);
      } catch (error) {
        errors.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, runNext));
  return { done: items.filter((item) => done.has(item)), errors };
}
