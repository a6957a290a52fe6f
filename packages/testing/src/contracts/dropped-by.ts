/** Adds up the deleted rows of all chunks. */
export async function droppedBy(chunks: AsyncIterable<number>): Promise<number> {
  let sum = 0;
  for await (const dropped of chunks) sum += dropped;
  return sum;
}
