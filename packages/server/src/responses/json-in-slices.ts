import { inSlices } from '@plugin-config/flow';
import { timeSlices } from '@plugin-config/flow/node';

/** Serialises a response body. Yields to other requests between the entries of long lists. */
export async function jsonInSlices(value: unknown): Promise<Buffer> {
  return Buffer.from(await inSlices(serialise(value), timeSlices()));
}

function* serialise(value: unknown): Generator<void, string, void> {
  if (Array.isArray(value)) return yield* serialiseList(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = Array.isArray(member)
      ? yield* serialiseList(member)
      : (JSON.stringify(member) as string | undefined);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

function* serialiseList(entries: readonly unknown[]): Generator<void, string, void> {
  const texts: string[] = [];
  for (const entry of entries) {
    texts.push(JSON.stringify(entry));
    yield;
  }
  return `[${texts.join(',')}]`;
}
