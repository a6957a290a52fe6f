import type { RegisteredPlugin } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyField, formOf, registeredText, registrationOf } from './registration-form.ts';

const line = fc.string({ minLength: 1 }).filter((text) => !text.includes('\n'));
const ordinary = fc.record(
  {
    key: line,
    type: fc.constantFrom('string', 'number', 'boolean', 'json'),
    name: line,
    hint: line,
    default: fc.jsonValue(),
    required: fc.constant(true),
    secret: fc.constant(true),
    site: fc.constant(true),
  },
  { requiredKeys: ['key', 'type'] },
);
const choice = fc.record({ key: line, type: fc.constant('choice'), choices: fc.array(line) });
const plugin = fc.record(
  {
    id: fc.nat(),
    slug: line,
    name: line,
    description: line,
    url: line,
    icon: line,
    config_schema: fc.array(fc.oneof(ordinary, choice)),
    jobs: fc.array(fc.record({ type: line, payload_schema: fc.dictionary(line, fc.jsonValue()) })),
    checks: fc.constant(true),
  },
  { requiredKeys: ['id', 'name', 'config_schema'] },
) as fc.Arbitrary<RegisteredPlugin>;

test('an untouched form registers the plugin unchanged', () => {
  fc.assert(
    fc.property(plugin, (registered) => {
      const { id: _, ...registration } = registered;
      const sent = JSON.parse(JSON.stringify(registrationOf(formOf(registered)))) as unknown;
      expect(sent).toEqual({ slug: null, ...(JSON.parse(JSON.stringify(registration)) as object) });
    }),
  );
});

test('an invalid default is reported with its key and the correct form', () => {
  const fields = [{ ...emptyField(0), key: 'host', default: 'localhost' }];
  expect(() => registrationOf({ ...formOf(null), name: 'GeoIP', fields })).toThrow(
    /^The default of "host" is not valid: Unexpected token .*\. Put text in quotes: "localhost"\.$/,
  );
  const long = [{ ...emptyField(0), key: 'limit', default: '9007199254740993' }];
  expect(() => registrationOf({ ...formOf(null), name: 'GeoIP', fields: long })).toThrow('too many digits');
});

test('jobs that are not JSON are reported', () => {
  expect(() => registrationOf({ ...formOf(null), name: 'GeoIP', jobs: '[{' })).toThrow(
    'The jobs are not valid JSON: ',
  );
});

test.each([
  [{ total: 0, invalid: 0 }, ''],
  [{ total: 1, invalid: 0 }, ' It has 1 record, none of them invalid.'],
  [{ total: 20, invalid: 1 }, ' It has 20 records. 1 is invalid: the schema rejects the configuration.'],
  [
    { total: 2000, invalid: 3 },
    ' It has 2,000 records. 3 are invalid: the schema rejects the configuration.',
  ],
  [{ total: 20_000, invalid: null }, ' It has 20,000 records, too many to count the invalid ones.'],
])('a registration with %j records says so', (records, text) => {
  expect(registeredText({ id: 7, name: 'GeoIP', records })).toBe(`GeoIP was registered.${text}`);
});
