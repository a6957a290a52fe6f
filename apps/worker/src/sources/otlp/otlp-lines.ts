import { otlpEntry, otlpTime } from '@plugin-config/domain';
import { otlpRecordId } from '../derived-id.ts';
import type { ReadRecord } from './read-record.ts';

/** About the size of the blocks of a received body. */
const BLOCK_CHARACTERS = 64 * 1024;

const utf8 = new TextEncoder();

/** Yields log records as entries in NDJSON, block by block. Equal records become separate entries. */
export function* otlpLines(
  records: readonly ReadRecord[],
  receivedAt: Date,
): Generator<Uint8Array<ArrayBuffer>, void, void> {
  const counts = new Map<string, number>();
  let lines = '';
  for (const { record, origin, digest } of records) {
    const index = counts.get(digest) ?? 0;
    counts.set(digest, index + 1);
    const newId = (): string => otlpRecordId(digest, index, otlpTime(record));
    lines += `${JSON.stringify(otlpEntry(record, { ...origin, receivedAt, newId }))}\n`;
    if (lines.length < BLOCK_CHARACTERS) continue;
    yield utf8.encode(lines);
    lines = '';
  }
  if (lines !== '') yield utf8.encode(lines);
}
