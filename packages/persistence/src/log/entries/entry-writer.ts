import type { EntryRow } from './entry-row.ts';

/** The signature of the format (11 bytes), without flags or extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = -1;
const NULL = -1;
const COLUMNS = 8;
/** An upper bound for the size of a row without its message. */
const ROW_BYTES = 256;
const BYTES_PER_UNIT = 3;
const INITIAL_BYTES = 1 << 21;
/** A larger buffer is not reused for the next batch. */
const REUSED_BYTES = 1 << 24;
const EPOCH = Date.UTC(2000, 0, 1);
const MICROSECONDS = 1000;
const UPPER = 0x1_0000_0000;

const NIBBLES = new Uint8Array(128);
for (let value = 0; value < 16; value++) NIBBLES[value.toString(16).charCodeAt(0)] = value;

/** Writes rows in the binary format of `copy`. The result is valid until the next call. */
export function entryWriter(): (rows: readonly EntryRow[]) => Uint8Array {
  let buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);

  const ensureRoom = (at: number, row: EntryRow): void => {
    const needed = at + ROW_BYTES + row.message.length * BYTES_PER_UNIT;
    if (needed <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, needed));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };

  return (rows) => {
    if (buffer.length > REUSED_BYTES) buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    HEADER.copy(buffer);
    let at = HEADER.length;
    for (const row of rows) {
      ensureRoom(at, row);
      at = writeRow(buffer, at, row);
    }
    return buffer.subarray(0, buffer.writeInt16BE(TRAILER, at));
  };
}

export const COPY_ENTRIES = `copy log_entry (record_id, timestamp, id, instance_id, plugin, kind, message, source_type)
  from stdin (format binary)`;

function writeRow(buffer: Buffer, start: number, row: EntryRow): number {
  let at = buffer.writeInt16BE(COLUMNS, start);
  at = writeBigint(buffer, at, row.recordId);
  at = writeBigint(buffer, at, (row.timestamp - EPOCH) * MICROSECONDS);
  at = writeUuid(buffer, at, row.id);
  at = writeUuid(buffer, at, row.instanceId);
  at = writeInteger(buffer, at, row.plugin);
  at = writeInteger(buffer, at, row.kind);
  at = writeText(buffer, at, row.message);
  return row.sourceType === null ? buffer.writeInt32BE(NULL, at) : writeText(buffer, at, row.sourceType);
}

function writeInteger(buffer: Buffer, start: number, value: number): number {
  return buffer.writeInt32BE(value, buffer.writeInt32BE(4, start));
}

function writeBigint(buffer: Buffer, start: number, value: number): number {
  let at = buffer.writeInt32BE(8, start);
  at = buffer.writeInt32BE(Math.floor(value / UPPER), at);
  return buffer.writeUInt32BE(value >>> 0, at);
}

function writeText(buffer: Buffer, start: number, text: string): number {
  const bytes = buffer.write(text, start + 4, 'utf8');
  buffer.writeInt32BE(bytes, start);
  return start + 4 + bytes;
}

/** Writes two hexadecimal digits per byte, without the dashes. */
function writeUuid(buffer: Buffer, start: number, uuid: string): number {
  let at = buffer.writeInt32BE(16, start);
  for (let i = 0; i < 36; i += 2) {
    if (i === 8 || i === 13 || i === 18 || i === 23) i++;
    buffer[at++] = (nibble(uuid, i) << 4) | nibble(uuid, i + 1);
  }
  return at;
}

function nibble(uuid: string, at: number): number {
  return NIBBLES[uuid.charCodeAt(at)] ?? 0;
}
