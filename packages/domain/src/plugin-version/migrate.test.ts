import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TYPE_SCHEMAS } from '../configuration/configuration.fixture.ts';
import { isSecret, maskValues, readValues, writeValues } from '../configuration/configuration.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import { migrationOf } from './migrate.ts';
import { checkMigrations, secretNamesAfter, type MigrationStep } from './migration-step.ts';

const SPLIT = { split: { key: 'address', pattern: '(?<host>[^:]+):(?<port>\\d+)', numbers: ['port'] } };

interface Case {
  readonly name: string;
  readonly step: MigrationStep;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly lacks?: readonly string[];
  readonly lost?: readonly string[];
}

const CASES: readonly Case[] = [
  { name: 'rename', step: { rename: { from: 'a', to: 'b' } }, before: { a: 1 }, after: { b: 1 } },
  { name: 'rename of nothing', step: { rename: { from: 'a', to: 'b' } }, before: { b: 1 }, after: { b: 1 } },
  {
    name: 'rename over another entry',
    step: { rename: { from: 'a', to: 'b' } },
    before: { a: 1, b: 2 },
    after: { b: 1 },
    lost: ['b'],
  },
  {
    name: 'rename of an inherited name',
    step: { rename: { from: 'constructor', to: '__proto__' } },
    before: {},
    after: {},
  },
  { name: 'remove', step: { remove: 'a' }, before: { a: 1 }, after: {}, lost: ['a'] },
  { name: 'remove of nothing', step: { remove: 'a' }, before: {}, after: {} },
  { name: 'default', step: { default: { key: 'a', value: 1 } }, before: {}, after: { a: 1 } },
  {
    name: 'default of a value',
    step: { default: { key: 'a', value: 1 } },
    before: { a: '' },
    after: { a: '' },
  },
  { name: 'map', step: { map: { key: 'a', values: { eu: 'EU' } } }, before: { a: 'eu' }, after: { a: 'EU' } },
  {
    name: 'map of no text',
    step: { map: { key: 'a', values: { true: 'on' } } },
    before: { a: true },
    after: { a: 'on' },
  },
  {
    name: 'map to null',
    step: { map: { key: 'a', values: { x: null } } },
    before: { a: 'x' },
    after: { a: null },
  },
  {
    name: 'map of an unknown value',
    step: { map: { key: 'a', values: {} } },
    before: { a: 'toString' },
    after: { a: 'toString' },
    lacks: ['a'],
  },
  {
    name: 'move into a new object',
    step: { move: { from: 'host', to: 'server.host' } },
    before: { host: 'a' },
    after: { server: { host: 'a' } },
  },
  {
    name: 'move of false into an object',
    step: { move: { from: 'a.on', to: 'b.c.on' } },
    before: { a: { on: false, x: 1 }, b: { y: 2 } },
    after: { a: { x: 1 }, b: { y: 2, c: { on: false } } },
  },
  {
    name: 'move over a part',
    step: { move: { from: 'a', to: 'b.c' } },
    before: { a: 1, b: { c: 2 } },
    after: { b: { c: 1 } },
    lost: ['b.c'],
  },
  {
    name: 'move within an entry',
    step: { move: { from: 'a.b', to: 'a.c' } },
    before: { a: { b: 1 } },
    after: { a: { c: 1 } },
  },
  {
    name: 'move into an entry that is no object',
    step: { move: { from: 'a', to: 'b.c' } },
    before: { a: 1, b: [2] },
    after: { a: 1, b: [2] },
    lacks: ['b'],
  },
  { name: 'split', step: SPLIT, before: { address: 'db:5432' }, after: { host: 'db', port: 5432 } },
  {
    name: 'split of another form',
    step: SPLIT,
    before: { address: 'db' },
    after: { address: 'db' },
    lacks: ['address'],
  },
  {
    name: 'split into a number that changes',
    step: SPLIT,
    before: { address: 'db:007' },
    after: { address: 'db:007' },
    lacks: ['address'],
  },
  {
    name: 'split of a long text',
    step: SPLIT,
    before: { address: `${'d'.repeat(9_999)}:1` },
    after: { address: `${'d'.repeat(9_999)}:1` },
    lacks: ['address'],
  },
  { name: 'require', step: { require: 'a' }, before: { a: false }, after: { a: false } },
  { name: 'require of nothing', step: { require: 'a' }, before: { a: '' }, after: { a: '' }, lacks: ['a'] },
];

describe('a step', () => {
  test.each(CASES)('$name', ({ step, before, after, lacks = [], lost = [] }) => {
    const migrated = migrationOf(TYPE_SCHEMAS, [step])(readValues(JSON.stringify(before)), new Set());
    expect(JSON.parse(writeValues(migrated.values))).toEqual(after);
    expect(migrated.lacks.map(({ attr }) => attr)).toEqual(lacks);
    expect(migrated.lost).toEqual(lost);
  });
});

describe('a secret', () => {
  const run = (step: MigrationStep, secretNames: readonly string[]) =>
    migrationOf(TYPE_SCHEMAS, [step])(new Map<string, Json>([['token', 'hunter2']]), new Set(secretNames));

  test('stays secret under its new name', () => {
    const steps: readonly MigrationStep[] = [
      { rename: { from: 'key', to: 'credential' } },
      { move: { from: 'token', to: 'key' } },
    ];
    const secretNames = secretNamesAfter(['token'], [{ from: 1, steps }]);
    expect([...secretNames]).toEqual(['token', 'key', 'credential']);
    expect(run({ rename: { from: 'token', to: 'key' } }, [...secretNames]).values.get('key')).toBe('hunter2');
  });

  test('of a former plugin needs a person where its new name is not secret', () => {
    const { values, lacks } = run({ rename: { from: 'token', to: 'key' } }, ['token']);
    expect(values).toEqual(new Map([['token', 'hunter2']]));
    expect(lacks).toEqual([{ attr: 'token', detail: 'Is secret, and "key" is not.' }]);
  });

  test.each<MigrationStep>([
    { map: { key: 'token', values: { hunter2: 'x' } } },
    { split: { key: 'token', pattern: '(?<a>.*)' } },
    { move: { from: 'token', to: 'server.token' } },
  ])('is left alone by %j, whatever its value', (step) => {
    const { values, lacks } = run(step, ['token', 'a']);
    expect(values).toEqual(new Map([['token', 'hunter2']]));
    expect(lacks).toHaveLength(1);
    expect(() => checkMigrations(TYPE_SCHEMAS, [{ from: 1, steps: [step] }], new Set(['token']))).toThrow(
      /The secret "token"/,
    );
  });
});

const KEYS = ['a', 'b', 'c', 'd', '__proto__'];
const key = fc.constantFrom(...KEYS);
const path = fc.oneof(
  key,
  fc.array(key, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.')),
);
const fromTo = fc.record({ from: key, to: key });
const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('', 'x', 'x:1', '********', 'hunter2', true, 0, null),
  fc.constant<Json>({ $ref: 'env://TOKEN' }),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(key, scalar),
);
const steps: fc.Arbitrary<readonly MigrationStep[]> = fc.array(
  fc.oneof(
    fc.record({ rename: fromTo }),
    fc.record({ remove: key }),
    fc.record({ default: fc.record({ key, value }) }),
    fc.record({
      map: fc.record({ key, values: fc.dictionary(fc.constantFrom('x', 'true', 'hunter2'), value) }),
    }),
    fc.record({ move: fc.record({ from: path, to: path }) }),
    fc.record({ split: fc.record({ key, pattern: fc.constantFrom('(?<a>[^:]*):(?<b>.*)', '(?<c>.+)') }) }),
    fc.record({ require: key }),
  ),
  { maxLength: 8 },
);
const stored = fc.dictionary(key, value).map((config) => readValues(JSON.stringify(config)));
const secretNames = fc.subarray(KEYS).map((names) => new Set(names));

describe('any migration of any configuration', () => {
  test('has a result, changes nothing it was given, and gives the same again', () => {
    fc.assert(
      fc.property(steps, stored, secretNames, (given, before, names) => {
        const text = writeValues(before);
        const migrate = migrationOf(TYPE_SCHEMAS, given);
        const first = migrate(before, names);
        expect(migrate(before, names)).toEqual(first);
        expect(writeValues(before)).toBe(text);
        expect(readValues(writeValues(first.values))).toEqual(first.values);
      }),
    );
  });

  test('never makes a secret public', () => {
    const hidden = 'the secret value';
    const hide = (before: Json): Json => (isSecret(before) ? hidden : before);
    fc.assert(
      fc.property(steps, stored, secretNames, (given, before, names) => {
        const values = new Map(
          [...before].map(([name, v]) => [name, names.has(name) ? hide(v) : v] as const),
        );
        const after = migrationOf(TYPE_SCHEMAS, given)(values, names);
        expect(writeValues(maskValues(after.values, names))).not.toContain(hidden);
        expect(JSON.stringify([after.lacks, after.lost])).not.toContain(hidden);
      }),
    );
  });

  test('commutes with masking: what is masked can be migrated, with the same result', () => {
    fc.assert(
      fc.property(steps, stored, secretNames, (given, before, names) => {
        const migrate = migrationOf(TYPE_SCHEMAS, given);
        const [real, masked] = [migrate(before, names), migrate(maskValues(before, names), names)];
        expect(maskValues(masked.values, names)).toEqual(maskValues(real.values, names));
        expect([masked.lacks, masked.lost]).toEqual([real.lacks, real.lost]);
      }),
    );
  });

  test('equals its steps, one after another', () => {
    fc.assert(
      fc.property(steps, steps, stored, secretNames, (one, two, before, names) => {
        const first = migrationOf(TYPE_SCHEMAS, one)(before, names);
        const second = migrationOf(TYPE_SCHEMAS, two)(first.values, names);
        expect(migrationOf(TYPE_SCHEMAS, [...one, ...two])(before, names)).toEqual({
          values: second.values,
          lacks: [...first.lacks, ...second.lacks],
          lost: [...new Set([...first.lost, ...second.lost])],
        });
      }),
    );
  });

  test('is accepted with all secret names that follow from it, or says which step cannot work', () => {
    fc.assert(
      fc.property(steps, stored, secretNames, (given, before, names) => {
        const all = secretNamesAfter(names, [{ from: 1, steps: given }]);
        try {
          checkMigrations(TYPE_SCHEMAS, [{ from: 1, steps: given }], all);
        } catch (error) {
          if (error instanceof DomainError && error.attr === 'migrations') return;
          throw error;
        }
        const { lacks } = migrationOf(TYPE_SCHEMAS, given)(before, all);
        expect(lacks.filter(({ detail }) => /secret/i.test(detail))).toEqual([]);
      }),
    );
  });
});

test.each<[string, MigrationStep]>([
  ['an empty key', { remove: '' }],
  ['a long key', { remove: 'k'.repeat(201) }],
  ['a path with an empty part', { move: { from: 'a..b', to: 'c' } }],
  ['a deep path', { move: { from: 'a', to: Array.from({ length: 11 }, () => 'a').join('.') } }],
  ['a pattern without a named group', { split: { key: 'a', pattern: '(x)' } }],
  ['a number that is no group', { split: { key: 'a', pattern: '(?<b>x+)', numbers: ['c'] } }],
])('a step with %s is rejected', (_, step) => {
  expect(() => checkMigrations(TYPE_SCHEMAS, [{ from: 1, steps: [step] }], new Set())).toThrow(
    expect.objectContaining({ attr: 'migrations' }),
  );
});

test('migrations have at most 200 steps and 64 KiB', () => {
  const many = Array.from({ length: 201 }, () => ({ remove: 'a' }));
  const large = [{ default: { key: 'a', value: 'x'.repeat(64 * 1024) } }];
  for (const given of [many, large]) {
    expect(() => checkMigrations(TYPE_SCHEMAS, [{ from: 1, steps: given }], new Set())).toThrow(
      expect.objectContaining({ attr: 'migrations' }),
    );
  }
  expect(() => checkMigrations(TYPE_SCHEMAS, [{ from: 1, steps: many.slice(1) }], new Set())).not.toThrow();
});
