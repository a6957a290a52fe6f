import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIELD_ERRORS } from '@plugin-config/domain/vocabulary';
import * as contract from './index.ts';

const { validate, WireError } = contract;
const schemas = Object.entries(contract).flatMap(([name, schema]) =>
  typeof schema === 'object' && 'safeParse' in schema ? [{ name, schema }] : [],
);

const KNOWN = [
  'plugin',
  'enabled',
  'order',
  'name',
  'description',
  'deleted',
  'job',
  'orders',
  'limit',
  'offset',
  'search',
  'type_filter',
  'after',
  'before',
  'instance_id',
  'id',
  'config_schema',
  '__proto__',
  'constructor',
  'toString',
];

const nearby = fc.dictionary(
  fc.oneof(fc.constantFrom(...KNOWN), fc.string()),
  fc.oneof(fc.jsonValue(), fc.string(), fc.array(fc.string()), fc.integer(), fc.double()),
);
const anyInput = fc.oneof(
  nearby,
  fc.jsonValue(),
  fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }),
);

test.each(schemas)('$name accepts any input or rejects it with a WireError', ({ schema }) => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { error } = validate(schema, input);
      if (error === undefined) return;
      expect(error).toBeInstanceOf(WireError);
      expect(FIELD_ERRORS).toContain(error.code);
      expect(error.detail).toMatch(/\.$/);
    }),
    { numRuns: 100 },
  );
});

const deep: unknown = JSON.parse(`${'{"job":{"payload":'.repeat(50_000)}1${'}}'.repeat(50_000)}`);

test.each(schemas)('$name accepts nesting of any depth', ({ schema }) => {
  expect(() => validate(schema, deep)).not.toThrow();
  expect(() => validate(schema, { config_schema: [deep], job: { type: 'x', payload: deep } })).not.toThrow();
});

test('parsing never changes Object.prototype', () => {
  fc.assert(
    fc.property(nearby, (input) => {
      const hostile: unknown = JSON.parse(JSON.stringify(input).replaceAll('"name"', '"__proto__"'));
      for (const { schema } of schemas) validate(schema, hostile);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
