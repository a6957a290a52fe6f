import type { RegisteredPlugin } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyField, formOf, registrationOf } from './registration-form.ts';

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
    name: line,
    description: line,
    url: line,
    icon: line,
    config_schema: fc.array(fc.oneof(ordinary, choice)),
  },
  { requiredKeys: ['id', 'name', 'config_schema'] },
) as fc.Arbitrary<RegisteredPlugin>;

test('a form that is not touched registers the plugin as it is', () => {
  fc.assert(
    fc.property(plugin, (registered) => {
      const { id: _, ...registration } = registered;
      const sent = JSON.parse(JSON.stringify(registrationOf(formOf(registered)))) as unknown;
      expect(sent).toEqual(JSON.parse(JSON.stringify(registration)));
    }),
  );
});

test('a default that is no JSON is named, and how a text is written', () => {
  const fields = [{ ...emptyField(0), key: 'host', default: 'localhost' }];
  expect(() => registrationOf({ ...formOf(null), name: 'GeoIP', fields })).toThrow(
    /^The default of "host" cannot be taken: Unexpected token .*\. A text stands in quotes: "localhost"\.$/,
  );
  const long = [{ ...emptyField(0), key: 'limit', default: '9007199254740993' }];
  expect(() => registrationOf({ ...formOf(null), name: 'GeoIP', fields: long })).toThrow('too many digits');
});
