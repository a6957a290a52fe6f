import { DAY_MS } from '@plugin-config/domain';

/**
 * Where an entry stands on its day is a number in hexadecimal digits: seven of the time, in milliseconds, then those
 * of the id. A block is all entries of a record and a day whose digits begin alike; the empty prefix is the whole day.
 * A block that has grown is split into the sixteen that have one digit more, a day into its quarters of an hour, which
 * have two. Blocks are counted, entries are not.
 */
export const SPLIT_AT = 1024;
export const TIME_DIGITS = 7;
const FIRST_STEP = 2;
const ID_DIGITS = 32;
const HEX = 16;
const BITS = 4;

export interface Block {
  /** Its start. */
  readonly day: number;
  readonly recordId: number;
  readonly prefix: string;
}

/** What a block is raised by, and which of a batch's rows it comes of; none where it was counted in the table. */
export interface Raise extends Block {
  readonly counts: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** Half open in time where the prefix ends within it; else one millisecond, and ids from the first to the last. */
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

/** The digits of a moment. */
export function timeDigits(day: number, time: number): string {
  return (time - day).toString(HEX).padStart(TIME_DIGITS, '0');
}

/** How many digits the blocks within one have. */
export function depthWithin(prefix: string): number {
  return Math.max(prefix.length + 1, FIRST_STEP);
}

/** The same in SQL, where the depth of a block is a number. */
export const DEPTH_WITHIN = (depth: string): string => `greatest(${depth} + 1, ${FIRST_STEP})`;

/** In SQL, how many digits the block around one has. */
export const DEPTH_AROUND = (depth: string): string =>
  `case ${depth} when ${FIRST_STEP} then 0 else ${depth} - 1 end`;

/** What tells apart the blocks within one of this prefix: the number that their next digits make. */
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

/** Ids have a dash after 8, 12, 16 and 20 digits. */
function indexInId(digit: number): number {
  return digit + Number(digit >= 8) + Number(digit >= 12) + Number(digit >= 16) + Number(digit >= 20);
}

function dashed(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
