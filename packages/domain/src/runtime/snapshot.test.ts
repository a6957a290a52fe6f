import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundSnapshot, isNotBefore, parseSnapshot, shows, snapshotText, type Snapshot } from './snapshot.ts';

/** A snapshot of some of the transactions from 1 to `max`, of which those in the list are running. */
function snapshotOf(max: number, unfinished: readonly number[]): Snapshot {
  const running = [...new Set(unfinished)].filter((one) => one < max).toSorted((a, b) => a - b);
  return { min: running[0] ?? max, max, running };
}

/** The transactions before one that a snapshot shows. */
function shownBy(snapshot: Snapshot, end: number): readonly number[] {
  return Array.from({ length: end }, (_, one) => one).filter((one) => shows(snapshot, one));
}

const snapshots = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 50 }), fc.uniqueArray(fc.nat(5000), { maxLength: 200 }))
  .map(([max, distances]) =>
    snapshotOf(
      max,
      distances.map((distance) => max - distance).filter((one) => one >= 1),
    ),
  );

test('a snapshot is the same after it was a text', () => {
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      expect(parseSnapshot(snapshotText(snapshot))).toEqual(snapshot);
    }),
  );
});

test('a snapshot shows the transactions that had ended', () => {
  const snapshot = { min: 5, max: 9, running: [5, 7] };
  const shown = [1, 4, 5, 6, 7, 8, 9, 10].filter((transaction) => shows(snapshot, transaction));
  expect(shown).toEqual([1, 4, 6, 8]);
});

test('a later snapshot is not before an earlier one, and shows all that it does', () => {
  const history = fc.array(fc.tuple(fc.boolean(), fc.nat(20)), { maxLength: 40 });
  fc.assert(
    fc.property(history, (events) => {
      const running = new Set<number>();
      let max = 1;
      const taken: Snapshot[] = [];
      for (const [begins, which] of events) {
        if (begins) running.add(max++);
        else running.delete([...running][which % Math.max(1, running.size)] ?? 0);
        taken.push(snapshotOf(max, [...running]));
      }
      for (const [i, later] of taken.entries())
        for (const earlier of taken.slice(0, i + 1)) {
          expect(isNotBefore(later, earlier)).toBe(true);
          expect(shownBy(earlier, max).filter((one) => !shows(later, one))).toEqual([]);
        }
    }),
  );
});

test('a snapshot with too many running transactions shows less, and nothing else', () => {
  const running = Array.from({ length: 500 }, (_, n) => 1000 + 3 * n);
  const snapshot = { min: 1000, max: 5000, running };
  const bounded = boundSnapshot(snapshot);
  expect(snapshotText(bounded).length).toBeLessThan(1000);
  expect(isNotBefore(snapshot, bounded)).toBe(true);
  expect(shownBy(bounded, 5010).filter((one) => !shows(snapshot, one))).toEqual([]);
});

test.each(['0-5', '5', 'zzzzzzzzzzz-zzzzzzzzzzz', '5-3-4', '5-3-1-1', '5-3-2-1', 'a-b-c-d-', ''])(
  '%j is not a snapshot',
  (text) => {
    expect(parseSnapshot(text)).toBeNull();
  },
);
