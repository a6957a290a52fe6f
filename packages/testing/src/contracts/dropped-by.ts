/** Sums the numbers of deleted rows over all portions. */
export async function droppedBy(portions: AsyncIterable<number>): Promise<number> {
  let sum = 0;
  for await (const dropped of portions) sum += dropped;
  return sum;
}
