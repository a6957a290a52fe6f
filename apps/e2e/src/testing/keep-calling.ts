/** Sends concurrent calls until the time is over. Counts the answers by status. */
export async function keepCalling(
  { callers, forMs }: { readonly callers: number; readonly forMs: number },
  call: (n: number) => Promise<number>,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  const end = performance.now() + forMs;
  let n = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      const status = await call(n++);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: callers }, loop));
  return statuses;
}
