/** Resolves to the values of those promises that are fulfilled. Rejects like the first one if none is. */
export async function fulfilled<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(promises);
  const found = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  return found.length === 0 ? Promise.all(promises) : found;
}
