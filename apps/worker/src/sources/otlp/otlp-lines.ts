import { otlpEntry, otlpTime } from '@plugin-config/domain';
import { otlpRecordId } from '../derived-id.ts';
import { LongRecord, type ReadRecord } from './read-record.ts';

/** About the size of the blocks of a body. */
const BLOCK_CHARACTERS = 64 * 1024;

/** Writes log records as entries in NDJSON, block by block. Equal records stay as many entries. */
export function* otlpLines(records: readonly ReadRecord[], receivedAt: Date): Generator<Buffer, void, void> {
  const places = new Map<string, number>();
  let lines = '';
  for (const read of records) {
    if (read instanceof LongRecord) lines += `${read.line}\n`;
    else {
      const { record, origin, digest } = read;
      const place = places.get(digest) ?? 0;
      places.set(digest, place + 1);
      const newId = (): string => otlpRecordId(digest, place, otlpTime(record));
      lines += `${JSON.stringify(otlpEntry(record, { ...origin, receivedAt, newId }))}\n`;
    }
    if (lines.length < BLOCK_CHARACTERS) continue;
    yield Buffer.from(lines);
    lines = '';
  }
  if (lines !== '') yield Buffer.from(lines);
}
