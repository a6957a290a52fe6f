import { inSlices } from '@plugin-config/flow';
import { timeSlices } from '@plugin-config/flow/node';

/** The body of an answer whose lists may be long: they are written entry by entry, so that other requests get between. */
export async function jsonInSlices(value: unknown): Promise<Buffer> {
  return Buffer.from(await inSlices(written(value), timeSlices()));
}

function* written(value: unknown): Generator<void, string, void> {
  if (Array.isArray(value)) return yield* writtenList(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = Array.isArray(member)
      ? yield* writtenList(member)
      : (JSON.stringify(member) as string | undefined);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

function* writtenList(entries: readonly unknown[]): Generator<void, string, void> {
  const texts: string[] = [];
  for (const entry of entries) {
    texts.push(JSON.stringify(entry));
    yield;
  }
  return `[${texts.join(',')}]`;
}
