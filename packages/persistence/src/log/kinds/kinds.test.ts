import { LOG_SOURCES, LOG_TYPES } from '@plugin-config/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_OWN, kindName, sharedKindName, addKinds, wordsOf, type Kind, type LogKinds } from './kinds.ts';
import { wantedKinds } from './wanted-kinds.ts';

const word = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...known),
    fc.nat(90).map((n) => `W${n}`),
  );
const aKind = fc.record({ source: word(LOG_SOURCES), type: word(LOG_TYPES) });
const batches = fc.array(fc.array(aKind, { maxLength: 120 }), { maxLength: 8 });

/** Stores the batches. Returns the kinds, and the indexes at which each kind was stored. */
function stored(all: readonly (readonly Kind[])[]): { kinds: LogKinds; known: Map<string, Set<number>> } {
  let kinds: LogKinds = [];
  const known = new Map<string, Set<number>>();
  for (const batch of all) {
    const newKinds = batch.filter((kind) => indexOfKind(kinds, kind) === -1);
    const next = addKinds(kinds, newKinds.map(kindName));
    expect(next.slice(0, kinds.length)).toEqual(kinds);
    kinds = next;
    for (const kind of batch) {
      known.set(kindName(kind), (known.get(kindName(kind)) ?? new Set()).add(indexOfKind(kinds, kind)));
    }
  }
  return { kinds, known };
}

function indexOfKind(kinds: LogKinds, kind: Kind): number {
  const own = kinds.indexOf(kindName(kind));
  return own === -1 ? kinds.indexOf(sharedKindName(kind)) : own;
}

test('there are at most 256 kinds, known kinds are never shared, and each kind keeps its index', () => {
  fc.assert(
    fc.property(batches, (all) => {
      const { kinds, known } = stored(all);
      expect(kinds.length).toBeLessThanOrEqual(LOG_SOURCES.length * LOG_TYPES.length + 9 + MAX_OWN);
      for (const [name, kindIndexes] of known) {
        const [index = -1] = kindIndexes;
        expect([kindIndexes.size, index >= 0]).toEqual([1, true]);
        const isKnown = sharedKindName(wordsOf(name)) === name;
        expect(isKnown ? kinds[index] : name).toBe(name);
      }
    }),
  );
});

test('a filter finds the index of every matching kind, and reports indexes that other kinds share', () => {
  const filters = fc.record({
    source: fc.option(word(LOG_SOURCES)),
    types: fc.array(word(LOG_TYPES), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(batches, filters, (all, filter) => {
      const { kinds, known } = stored(all);
      const { kindIndexes, isMixed } = wantedKinds(kinds, filter);
      for (const [name, [index = -1]] of known) {
        const [source, type = ''] = name.split(' ');
        const isWanted =
          (filter.source === null || filter.source === source) &&
          (filter.types.length === 0 || filter.types.includes(type));
        const isFound = kindIndexes === null || kindIndexes.includes(index);
        expect({ name, isWrong: isWanted ? !isFound : isFound && !isMixed }).toEqual({
          name,
          isWrong: false,
        });
      }
    }),
  );
});

test('a filter that names only kinds with their own index is not mixed', () => {
  const own = Array.from({ length: MAX_OWN }, (_, i) => `PLUGIN OWN_${i}`);
  const kinds = addKinds([], ['PLUGIN LOG', ...own, 'PLUGIN LATE', 'PLUGIN ERROR', 'OTHER ERROR']);
  expect(kinds.slice(-3)).toEqual(['PLUGIN *', 'PLUGIN ERROR', '* ERROR']);
  const isMixed = (source: string | null, ...types: readonly string[]): boolean =>
    wantedKinds(kinds, { source, types }).isMixed;
  expect(isMixed('PLUGIN')).toBe(false);
  expect(isMixed(null, 'ERROR', 'LOG')).toBe(false);
  expect(isMixed('PLUGIN', 'OWN_7', 'LOG')).toBe(false);
  expect(isMixed(null, 'OWN_7')).toBe(false);
  expect(isMixed('CONSOLE', 'LATE')).toBe(false);
  expect(isMixed('PLUGIN', 'LATE', 'LOG')).toBe(true);
  expect(isMixed(null, 'LATE')).toBe(true);
  expect(isMixed('OTHER')).toBe(true);
});
