import { inSlices, type TimeSlices } from '@plugin-config/flow';
import { timeSlices } from '@plugin-config/flow/node';

/** Text is encoded in blocks of about this size, since encoding 16 MiB at once would take 30 ms. */
const BLOCK_CHARACTERS = 256 * 1024;

/** Serialises a response body. Yields to other requests between the entries of long lists. */
export async function jsonInSlices(value: unknown, slices: TimeSlices = timeSlices()): Promise<Buffer> {
  const blocks: Buffer[] = [];
  await inSlices(encode(serialise(value), blocks), slices);
  return Buffer.concat(blocks);
}

/** Encodes pieces of text, and appends them to the blocks. */
function* encode(pieces: Generator<string, void, void>, blocks: Buffer[]): Generator<void, void, void> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length >= BLOCK_CHARACTERS) {
      blocks.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  blocks.push(Buffer.from(text));
}

/** Yields JSON text in pieces; those of a list are its entries. */
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
