import { DAY_MS } from '@plugin-config/domain';

/**
 * The position of an entry on its day is a number in hexadecimal digits: seven of its time in milliseconds, then those
 * of its id. A block contains all entries of a record and day whose digits have the same prefix; the empty prefix is
 * the whole day. A large block is split into sixteen with one digit more; a day into blocks with two digits. Blocks
 * have counters, so that entries need not be counted.
 */
export const SPLIT_AT = 1024;
export const TIME_DIGITS = 7;
const FIRST_STEP = 2;
const ID_DIGITS = 32;
const HEX = 16;
const BITS = 4;

export interface Block {
  /** The start of the day. */
  readonly day: number;
  readonly recordId: number;
  readonly prefix: string;
}

/**
 * The counts to add to a block, and the rows of the batch that they come from; no rows if they were counted in the
 * table.
 */
export interface BlockIncrement extends Block {
  readonly counts: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** A half-open span of time if the prefix ends within the time; else one millisecond and an inclusive range of ids. */
export interface BlockBounds {
  readonly from: number;
  readonly to: number;
  readonly firstId: string;
  readonly lastId: string;
}

export function blockBounds(day: number, prefix: string): BlockBounds {
  const time = prefix.slice(0, TIME_DIGITS);
  const id = prefix.slice(TIME_DIGITS);
  const width = HEX ** (TIME_DIGITS - time.length);
  const from = day + (time === '' ? 0 : Number.parseInt(time, HEX)) * width;
  return {
    from,
    to: Math.min(from + width, day + DAY_MS),
    firstId: dashed(id.padEnd(ID_DIGITS, '0')),
    lastId: dashed(id.padEnd(ID_DIGITS, 'f')),
  };
}

/** The digits of a time on its day. */
export function timeDigits(day: number, time: number): string {
  return (time - day).toString(HEX).padStart(TIME_DIGITS, '0');
}

/** The depth of the blocks within a block. */
export function depthWithin(prefix: string): number {
  return Math.max(prefix.length + 1, FIRST_STEP);
}

/** `depthWithin` in SQL, for a depth. */
export const DEPTH_WITHIN = (depth: string): string => `greatest(${depth} + 1, ${FIRST_STEP})`;

/** The depth of the parent block, in SQL. */
export const DEPTH_AROUND = (depth: string): string =>
  `case ${depth} when ${FIRST_STEP} then 0 else ${depth} - 1 end`;

/** The next digits of an entry after this prefix, as a number: the index of its block within the parent. */
export function partOf(
  { timestamp, id }: { readonly timestamp: number; readonly id: string },
  prefix: string,
): number {
  const depth = prefix.length;
  if (depth >= TIME_DIGITS) return Number.parseInt(id.charAt(indexInId(depth - TIME_DIGITS)), HEX);
  const within = depthWithin(prefix);
  return ((timestamp % DAY_MS) >>> (BITS * (TIME_DIGITS - within))) % HEX ** (within - depth);
}

export function prefixWithin(prefix: string, part: number): string {
  return prefix + part.toString(HEX).padStart(depthWithin(prefix) - prefix.length, '0');
}

/** The index of a digit in a dashed id. */
function indexInId(digit: number): number {
  return digit + Number(digit >= 8) + Number(digit >= 12) + Number(digit >= 16) + Number(digit >= 20);
}

function dashed(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
