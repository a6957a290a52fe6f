/** The transactions committed at a moment, in the form of PostgreSQL. Transaction numbers rise. */
export interface Snapshot {
  /** All transactions before this one had ended. */
  readonly min: number;
  /** No transaction from this one on had ended. */
  readonly max: number;
  /** The transactions in between that were still running, in ascending order. */
  readonly running: readonly number[];
}

/** The maximum number of running transactions in a cursor. */
const RUNNING_MAX = 200;

/** Returns whether a snapshot shows what a committed transaction has written. */
export function shows({ min, max, running }: Snapshot, transaction: number): boolean {
  return transaction < min || (transaction < max && !running.includes(transaction));
}

/** Returns whether a snapshot shows everything that an earlier one does. */
export function isNotBefore(later: Snapshot, earlier: Snapshot): boolean {
  return (
    later.max >= earlier.max &&
    later.running.every((transaction) => transaction >= earlier.max || earlier.running.includes(transaction))
  );
}

/**
 * Bounds the size of a snapshot. A shortened snapshot shows fewer transactions: its reader gets some changes again, and misses
 * none.
 */
export function boundSnapshot(snapshot: Snapshot): Snapshot {
  const { min, running } = snapshot;
  const max = running[RUNNING_MAX];
  return max === undefined ? snapshot : { min, max, running: running.slice(0, RUNNING_MAX) };
}

const RADIX = 36;
const NUMBER = '[0-9a-z]{1,11}';
/** The first number, then the distances of the end and of the running transactions. */
export const SNAPSHOT_FORM = String.raw`${NUMBER}-${NUMBER}(?:-${NUMBER}){0,${RUNNING_MAX}}`;

export function snapshotText({ min, max, running }: Snapshot): string {
  const distances = [max, ...running].map((transaction) => (transaction - min).toString(RADIX));
  return [min.toString(RADIX), ...distances].join('-');
}

/** Returns null if the text, which has the form, is not a snapshot. */
export function parseSnapshot(text: string): Snapshot | null {
  const [min = 0, ...distances] = text.split('-').map((number) => Number.parseInt(number, RADIX));
  const [max = 0, ...running] = distances.map((distance) => min + distance);
  const isValid =
    min >= 1 &&
    max >= min &&
    Number.isSafeInteger(max) &&
    running.every(
      (transaction, i) => transaction < max && transaction >= (i === 0 ? min : (running[i - 1] ?? 0) + 1),
    );
  return isValid ? { min, max, running } : null;
}
