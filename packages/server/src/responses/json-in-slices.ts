import { setImmediate as nextTurn } from 'node:timers/promises';

/** Serialising and encoding this much takes a few milliseconds. */
const SLICE_CHARACTERS = 256 * 1024;

/** Serialises a response body. Lets other requests run between slices of long lists. */
export async function jsonInSlices(value: unknown): Promise<Buffer> {
  const slices: Buffer[] = [];
  let text = '';
  for (const piece of serialise(value)) {
    text += piece;
    if (text.length < SLICE_CHARACTERS) continue;
    slices.push(Buffer.from(text));
    text = '';
    await nextTurn();
  }
  slices.push(Buffer.from(text));
  return Buffer.concat(slices);
}

/** Yields JSON text in pieces; a list is split into its entries. */
function* serialise(value: unknown): Generator<string, void, void> {
  if (Array.isArray(value)) yield* serialiseList(value);
  else if (typeof value === 'object' && value !== null) yield* serialiseMembers(value);
  else yield JSON.stringify(value);
}

function* serialiseMembers(value: object): Generator<string, void, void> {
  let separator = '{';
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    const text = Array.isArray(member) ? '' : (JSON.stringify(member) as string | undefined);
    if (text === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:${text}`;
    if (Array.isArray(member)) yield* serialiseList(member);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

function* serialiseList(entries: readonly unknown[]): Generator<string, void, void> {
  let separator = '[';
  for (const entry of entries) {
    yield separator + JSON.stringify(entry);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
