import type { ConfigRecord, Json } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENTRY, type Change, type Changes } from '../record/changes.ts';
import { differencesOf, keptChanges } from './merge.ts';

const MASK = '********';
const KEYS = ['a', 'b', 'c', 'd'] as const;
const INFO = JSON.stringify({
  id: 1,
  name: 'P',
  config_schema: [{ key: 'token', type: 'string', secret: true }],
});

type Config = Readonly<Record<string, Json>>;

const value = fc.constantFrom<Json>(1, 2, 'x', null, { y: [1] }, true);
const config = fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: KEYS.length });
const changes: fc.Arbitrary<Changes> = fc
  .dictionary(fc.constantFrom(...KEYS), fc.option(value, { nil: undefined }), { maxKeys: KEYS.length })
  .map(
    (all) => new Map(Object.entries(all).map(([key, one]) => [ENTRY + key, { value: one, isSecret: false }])),
  );

function recordOf(entries: Config, fields: Partial<ConfigRecord> = {}) {
  const record = { name: 'n', description: null, enabled: true, deleted: false, order: 1, plugin: 1 };
  return { ...record, plugin_info: INFO, config: JSON.stringify(entries), ...fields };
}

function untouched(): boolean {
  return false;
}

/** Drops changes that equal the base. */
function realChanges(base: Config, mine: Changes): Changes {
  return new Map(
    [...mine].filter(
      ([field, change]) =>
        !isEqual(new Map(Object.entries(base)).get(field.slice(ENTRY.length)), change.value),
    ),
  );
}

function applied(entries: Config, kept: Changes): ReadonlyMap<string, Json> {
  const all = new Map(Object.entries(entries));
  for (const [field, { value: one }] of kept) {
    if (one === undefined) all.delete(field.slice(ENTRY.length));
    else all.set(field.slice(ENTRY.length), one);
  }
  return all;
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

test('a merge keeps the changes of each side, and the chosen side where both changed', () => {
  fc.assert(
    fc.property(
      config,
      config,
      changes,
      fc.constantFrom('mine', 'theirs'),
      (base, theirs, wished, choice) => {
        const mine = realChanges(base, wished);
        const differences = differencesOf({
          base: recordOf(base),
          theirs: recordOf(theirs),
          mine,
          isTouched: untouched,
        });
        const kept = keptChanges(differences, () => choice === 'mine');
        const merged = applied(theirs, kept);
        const own = applied(base, mine);
        for (const key of KEYS) {
          const [was, is, wanted] = [
            new Map(Object.entries(base)).get(key),
            new Map(Object.entries(theirs)).get(key),
            own.get(key),
          ];
          const needsChoice = differences.some(
            ({ field, needsChoice: needs }) => field === ENTRY + key && needs,
          );
          expect(needsChoice).toBe(!isEqual(was, is) && !isEqual(was, wanted) && !isEqual(is, wanted));
          const ofBoth = choice === 'mine' ? wanted : is;
          const expected = isEqual(was, wanted) ? is : isEqual(was, is) ? wanted : ofBoth;
          expect(merged.get(key)).toEqual(expected);
        }
      },
    ),
  );
});

test('the differences of both sides are shown, and no others', () => {
  fc.assert(
    fc.property(config, config, changes, (base, theirs, wished) => {
      const mine = realChanges(base, wished);
      const shown = differencesOf({
        base: recordOf(base),
        theirs: recordOf(theirs),
        mine,
        isTouched: untouched,
      });
      const differing = KEYS.filter(
        (key) =>
          mine.has(ENTRY + key) ||
          !isEqual(new Map(Object.entries(base)).get(key), new Map(Object.entries(theirs)).get(key)),
      );
      expect(new Set(shown.map(({ field }) => field))).toEqual(new Set(differing.map((key) => ENTRY + key)));
    }),
  );
});

test('fields of the record are merged like configuration entries', () => {
  const mine = new Map<string, Change>([
    ['name', { value: undefined, isSecret: false }],
    ['enabled', { value: false, isSecret: false }],
  ]);
  const theirs = recordOf({}, { name: 'theirs', description: 'new' });
  const differences = differencesOf({ base: recordOf({}), theirs, mine, isTouched: untouched });
  expect(differences.map(({ field, needsChoice }) => [field, needsChoice])).toEqual([
    ['name', true],
    ['description', false],
    ['enabled', false],
  ]);
  expect(differences[0]?.mine).toEqual({ json: undefined });
  expect([...keptChanges(differences, () => false).keys()]).toEqual(['enabled']);
});

test('a secret that both sides replaced needs a choice, and its value is not shown', () => {
  const mine = new Map([[`${ENTRY}token`, { value: 'canary', isSecret: true }]]);
  const both = { base: recordOf({ token: MASK }), theirs: recordOf({ token: MASK }), mine };
  const [alone] = differencesOf({ ...both, isTouched: untouched });
  expect(alone).toMatchObject({ needsChoice: false, theirs: { secret: 'set' }, mine: { secret: 'changed' } });
  const [contested] = differencesOf({ ...both, isTouched: () => true });
  expect(contested).toMatchObject({ needsChoice: true, theirs: { secret: 'changed' } });
  const { change: _, ...shown } = contested ?? { change: null };
  expect(JSON.stringify(shown)).not.toMatch(/canary|\*/);
});

test('references to a secret are shown, and need a choice only if they differ', () => {
  const [ours, others] = ['env://OURS', 'env://OTHERS'].map(($ref) => ({ $ref }));
  const by = (theirs: Config) =>
    differencesOf({
      base: recordOf({ token: MASK }),
      theirs: recordOf(theirs),
      mine: new Map([[`${ENTRY}token`, { value: ours, isSecret: true }]]),
      isTouched: () => true,
    });
  expect(by({ token: others ?? null })).toMatchObject([
    {
      needsChoice: true,
      base: { secret: 'set' },
      theirs: { reference: 'env://OTHERS' },
      mine: { reference: 'env://OURS' },
    },
  ]);
  expect(by({ token: ours ?? null })).toMatchObject([{ needsChoice: false }]);
  expect(by({})).toMatchObject([{ needsChoice: true, theirs: { secret: 'not set' } }]);
  const unnoticed = differencesOf({
    base: recordOf({ token: ours ?? null }),
    theirs: recordOf({ token: others ?? null }),
    mine: new Map(),
    isTouched: untouched,
  });
  expect(unnoticed).toMatchObject([{ isTheirs: true, theirs: { reference: 'env://OTHERS' } }]);
});

test('a secret that both sides cleared needs neither a choice nor a change', () => {
  const mine = new Map([[`${ENTRY}token`, { value: undefined, isSecret: true }]]);
  const differences = differencesOf({
    base: recordOf({ token: MASK }),
    theirs: recordOf({}),
    mine,
    isTouched: () => true,
  });
  expect(differences.map(({ needsChoice }) => needsChoice)).toEqual([false]);
  expect(keptChanges(differences, () => true).size).toBe(0);
});
