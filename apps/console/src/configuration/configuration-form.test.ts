import { FIELD_TYPES } from '@plugin-config/domain/vocabulary';
import type { Json, JsonObject, PluginField } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf, fieldsOf, isSame, OTHERS, storedText, type Draft } from '../editing/field.ts';
import { referenceText, secretText } from '../editing/reference.ts';
import { entriesToChange, ENTRY } from '../record/changes.ts';
import { configurationForm } from './configuration-form.ts';

const MASK = '********';
const CHOICES = ['eu', 'us', ''];

const key = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('host', 'token', '__proto__', 'config.x', '7'),
);
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => value + 0);
const json = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));

function valueOf(type: PluginField['type']): fc.Arbitrary<Json> {
  if (type === 'number') return number;
  if (type === 'boolean') return fc.boolean();
  if (type === 'choice') return fc.constantFrom(...CHOICES);
  return type === 'string' ? fc.string() : json;
}

interface Entry {
  readonly field: PluginField;
  readonly stored: Json | undefined;
  readonly typed: Json;
}

const entry: fc.Arbitrary<Entry> = fc
  .record({
    key,
    type: fc.constantFrom(...FIELD_TYPES),
    secret: fc.boolean(),
    stale: fc.boolean(),
  })
  .chain(({ secret, stale, ...field }) =>
    fc.record({
      field: fc.constant({ ...field, secret, ...(field.type === 'choice' && { choices: CHOICES }) }),
      // A value that is older than the schema can have any type.
      stored: fc.option(secret ? fc.constant(MASK) : stale ? json : valueOf(field.type), { nil: undefined }),
      typed: valueOf(field.type),
    }),
  );

/** A record with any schema and configuration, including entries that are not in the schema. */
const scene = fc
  .record({
    entries: fc.uniqueArray(entry, { selector: ({ field }) => field.key, maxLength: 8 }),
    others: fc.dictionary(key, json, { maxKeys: 3 }),
    isRegistered: fc.boolean(),
  })
  .map(({ entries, others, isRegistered }) => {
    const stored = entries.flatMap(({ field, stored: value }) =>
      value === undefined ? [] : [[field.key, value] as const],
    );
    const known = new Set(entries.map(({ field }) => field.key));
    const rest = Object.entries(others).filter(([name]) => !known.has(name));
    const config = JSON.stringify(Object.fromEntries([...rest, ...stored]));
    const schema = entries.map(({ field }) => field);
    const info = JSON.stringify({ id: 1, name: 'P', config_schema: schema });
    return { entries, record: { config, plugin_info: isRegistered ? info : null }, isRegistered };
  });

test('an untouched form has no changes, for any schema and configuration', () => {
  fc.assert(
    fc.property(scene, ({ record }) => {
      const form = configurationForm(record);
      expect(changesOf(form, new Map()).changes).toEqual(new Map());
      const asShown = new Map<string, Draft>(fieldsOf(form).map((field) => [field.name, storedText(field)]));
      expect(changesOf(form, asShown).changes).toEqual(new Map());
    }),
  );
});

test('a single change leaves other entries unchanged, and sends no other secret or mask', () => {
  fc.assert(
    fc.property(scene, fc.nat(), ({ entries, record, isRegistered }, choice) => {
      fc.pre(isRegistered && entries.length > 0);
      const form = configurationForm(record);
      const chosen = entries[choice % entries.length];
      const edited = form.fields[choice % entries.length];
      if (chosen === undefined || edited === undefined) throw new Error('There is an entry.');
      const text = storedText({ ...edited, stored: chosen.typed, secret: false });
      const { changes, problems } = changesOf(form, new Map([[edited.name, text]]));
      expect(problems).toEqual(new Map());
      expect([...changes.keys()].filter((name) => name !== edited.name)).toEqual([]);
      // An empty text means that the field is not set; for a secret, that it is kept.
      const value = text === '' ? undefined : chosen.typed;
      const isKept = text === storedText(edited) || isSame(value, chosen.stored);
      expect(Object.entries(entriesToChange(changes))).toEqual(
        isKept ? [] : [[chosen.field.key, value ?? null]],
      );
    }),
  );
});

test('entries without a field are edited as JSON, and only differences are changes', () => {
  fc.assert(
    fc.property(scene, key, json, ({ record }, name, value) => {
      const { others, fields } = configurationForm(record);
      fc.pre(others !== null && fields.every((field) => field.name !== ENTRY + name));
      const text = JSON.stringify(Object.fromEntries([...Object.entries(others), [name, value]]));
      const { changes } = changesOf({ fields, others }, new Map([[OTHERS, text]]));
      const isNew = JSON.stringify(new Map(Object.entries(others)).get(name)) !== JSON.stringify(value);
      expect([...changes]).toEqual(isNew ? [[ENTRY + name, { value, isSecret: false }]] : []);
    }),
  );
});

const FIELDS: readonly PluginField[] = [
  { key: 'host', type: 'string', required: true },
  { key: 'limit', type: 'number' },
  { key: 'rules', type: 'json' },
  { key: 'token', type: 'string', secret: true, required: true },
];

function formOf(config: JsonObject) {
  const info = { id: 1, name: 'P', config_schema: FIELDS };
  return configurationForm({ config: JSON.stringify(config), plugin_info: JSON.stringify(info) });
}

test('all problems are found at once', () => {
  const drafts = new Map<string, Draft>([
    ['config.host', ''],
    ['config.limit', 'many'],
    ['config.rules', '{'],
    ['config.token', null],
  ]);
  const { problems } = changesOf(formOf({ host: 'a', token: MASK }), drafts);
  expect([...problems.keys()]).toEqual(['config.host', 'config.limit', 'config.rules', 'config.token']);
});

test('a secret is kept, replaced or cleared, and its mask is never sent', () => {
  const form = formOf({ host: 'a', token: MASK });
  const changesBy = (draft: Draft) => [...changesOf(form, new Map([['config.token', draft]])).changes];
  expect(changesBy('')).toEqual([]);
  expect(changesBy(MASK)).toEqual([]);
  expect(changesBy('new')).toEqual([['config.token', { value: 'new', isSecret: true }]]);
  const cleared = changesOf(form, new Map([['config.token', null]])).changes;
  expect(entriesToChange(cleared)).toEqual({ token: null });
});

test('a secret is replaced by a reference, which is shown and kept', () => {
  const token = { $ref: 'env://TOKEN' };
  const changesBy = (stored: Json, draft: Draft) =>
    changesOf(formOf({ host: 'a', token: stored }), new Map([['config.token', draft]]));
  expect([...changesBy(MASK, referenceText(' env://TOKEN')).changes]).toEqual([
    ['config.token', { value: token, isSecret: true }],
  ]);
  expect(changesBy(MASK, referenceText('')).problems.get('config.token')).toContain('env://NAME');
  expect([...changesBy(token, referenceText('env://TOKEN')).changes]).toEqual([]);
  expect(secretText(token)).toBe('Reference env://TOKEN');
  expect(secretText(MASK)).toBe('Set');
});

test('a JSON entry that has its own field is rejected', () => {
  const form = formOf({ host: 'a', token: MASK, old: 1 });
  const problemOf = (text: string) => changesOf(form, new Map([[OTHERS, text]])).problems.get(OTHERS);
  expect(problemOf('{"host": "b"}')).toContain('"host" has its own field');
  expect(problemOf('[]')).toContain('a JSON object');
  expect(problemOf('')).toBeUndefined();
});
