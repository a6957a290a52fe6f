import { hash } from 'node:crypto';

// Ids for entries without an id, derived from their position in the source. They are the same on every delivery, and ascending,
// which keeps entries of the same millisecond in order.

const MILLISECOND = 1_000_000n;
const VARIANT = 0b10n << 38n;
const VARIANT_OF_HASH = 0b10n << 62n;

/** Returns a version 7 UUID: the time of the message with 12 bits of its fraction, its sequence number, and a hash. */
export function streamMessageId(stream: string, sequence: bigint, nanoseconds: bigint): string {
  const fraction = ((nanoseconds % MILLISECOND) << 12n) / MILLISECOND;
  const order = VARIANT | BigInt.asUintN(38, sequence);
  return uuid(
    hex(nanoseconds / MILLISECOND, 12),
    `7${hex(fraction, 3)}`,
    hex(order, 10) + digest(`${stream}\n${sequence}\n${nanoseconds}`).slice(0, 6),
  );
}

/** Returns a version 8 UUID: the time of a log record in nanoseconds, and a hash of its digest and its index among equal records. */
export function otlpRecordId(content: string, index: number, nanoseconds: bigint): string {
  const fraction = ((nanoseconds % MILLISECOND) << 12n) / MILLISECOND;
  const distinct = VARIANT_OF_HASH | (BigInt(`0x${digest(`${content}\n${index}`).slice(0, 16)}`) >> 2n);
  return uuid(hex(nanoseconds / MILLISECOND, 12), `8${hex(fraction, 3)}`, hex(distinct, 16));
}

function uuid(first: string, second: string, last: string): string {
  return `${first.slice(0, 8)}-${first.slice(8)}-${second}-${last.slice(0, 4)}-${last.slice(4)}`;
}

function hex(value: bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function digest(text: string): string {
  return hash('sha256', text, 'hex');
}
