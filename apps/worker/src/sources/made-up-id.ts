import { hash } from 'node:crypto';

/**
 * Ids of entries that bring none, made up of where they stand: the same at each delivery, and rising, so that the
 * entries of one moment keep their order.
 */

const MILLISECOND_NS = 1_000_000n;

/** Version 7: the time of the message, as fine as twelve bits tell it, its sequence number, and a hash. */
export function streamMessageId(stream: string, sequence: number, timeNs: bigint): string {
  const time = hex(timeNs / MILLISECOND_NS, 12);
  const fraction = hex(((timeNs % MILLISECOND_NS) << 12n) / MILLISECOND_NS, 3);
  const order = (BigInt(sequence) % (1n << 38n)) | (0b10n << 62n >> 24n);
  return uuid(time, `7${fraction}`, hex(order, 10) + digest(`${stream}\n${sequence}\n${timeNs}`).slice(0, 6));
}

/** Version 8: the number of the line, and a hash of its text. */
export function lineId(number: number, line: string): string {
  const text = digest(line);
  return uuid(hex(BigInt(number), 12), `8${text.slice(0, 3)}`, `8${text.slice(3, 18)}`);
}

function uuid(first: string, second: string, last: string): string {
  return `${first.slice(0, 8)}-${first.slice(8)}-${second}-${last.slice(0, 4)}-${last.slice(4)}`;
}

function hex(value: bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0').slice(-digits);
}

function digest(text: string): string {
  return hash('sha256', text, 'hex');
}
