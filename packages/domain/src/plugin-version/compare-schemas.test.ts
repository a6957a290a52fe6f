import { expect, test } from 'vitest';
import type { ConfigField } from '../configuration/config-field.ts';
import type { JsonObject } from '../kernel/json.ts';
import { schemaDifferences } from './compare-schemas.ts';

type Schema = readonly ConfigField[] | undefined;

const HOST: ConfigField = { key: 'host', type: 'string' };
const MODE: ConfigField = { key: 'mode', type: 'choice', choices: ['a', 'b'] };
const nested = (schema: JsonObject): Schema => [{ key: 'server', type: 'json', schema }];
const PORT = { properties: { port: { type: 'number', title: 'Port' }, title: { type: 'string' } } };
const OTHER: ConfigField = { key: 'other', type: 'number' };

test.each<[string, Schema, Schema]>([
  ['nothing', [HOST], [HOST]],
  ['no schema at all', undefined, undefined],
  ['an optional entry more', [HOST], [HOST, OTHER]],
  ['a required entry more that has a default', [HOST], [HOST, { ...OTHER, required: true, default: 1 }]],
  ['a choice more', [MODE], [{ ...MODE, choices: ['a', 'b', 'c'] }]],
  ['another order of choices', [MODE], [{ ...MODE, choices: ['b', 'a'] }]],
  ['"required" dropped', [{ ...HOST, required: true }], [HOST]],
  [
    'a false property for an absent one',
    [HOST],
    [{ ...HOST, required: false, secret: false, default: null }],
  ],
  ['a name and a hint', [HOST], [{ ...HOST, name: 'Host', hint: 'Where it runs' }]],
  ['another order of entries', [HOST, MODE], [MODE, HOST]],
  [
    'other texts and another order in a JSON Schema',
    nested(PORT),
    nested({
      description: 'Where it runs',
      properties: { title: { type: 'string' }, port: { title: 'TCP port', type: 'number' } },
    }),
  ],
])('%s keeps the schema version', (_, before, after) => {
  expect(schemaDifferences(before, after)).toEqual([]);
});

const NESTED = '"server" has another "schema".';

test.each<[string, Schema, Schema, string]>([
  ['a schema where there was none', undefined, [HOST], 'There was no schema.'],
  ['no schema where there was one', [HOST], undefined, 'The schema is gone.'],
  ['an entry less', [HOST, MODE], [MODE], '"host" is gone.'],
  ['a required entry more', [HOST], [HOST, { ...OTHER, required: true }], '"other" is new and required.'],
  ['another type', [HOST], [{ ...HOST, type: 'number' }], '"host" has another "type".'],
  ['a choice less', [MODE], [{ ...MODE, choices: ['a'] }], '"mode" has another "choices".'],
  ['an entry that becomes required', [HOST], [{ ...HOST, required: true }], '"host" has another "required".'],
  ['another default', [HOST], [{ ...HOST, default: 'a' }], '"host" has another "default".'],
  [
    'a default of false',
    [{ key: 'x', type: 'json' }],
    [{ key: 'x', type: 'json', default: false }],
    '"x" has another "default".',
  ],
  ['an entry that becomes secret', [HOST], [{ ...HOST, secret: true }], '"host" has another "secret".'],
  ['a secret that becomes plain', [{ ...HOST, secret: true }], [HOST], '"host" has another "secret".'],
  ['an entry for browsers', [HOST], [{ ...HOST, site: true }], '"host" has another "site".'],
  [
    'a secret that runtimes may write',
    [{ ...HOST, secret: true }],
    [{ ...HOST, secret: true, runtimeWritable: true }],
    '"host" has another "runtime_writable".',
  ],
  ['a JSON Schema where there was none', [{ key: 'server', type: 'json' }], nested(PORT), NESTED],
  ['no JSON Schema where there was one', nested(PORT), [{ key: 'server', type: 'json' }], NESTED],
  [
    'a property less, which has the name of a text',
    nested(PORT),
    nested({ properties: { port: { type: 'number' } } }),
    NESTED,
  ],
  [
    'a value in a JSON Schema that looks like a text',
    nested({ const: { title: 'a' } }),
    nested({ const: { title: 'b' } }),
    NESTED,
  ],
])('%s needs the next schema version', (_, before, after, difference) => {
  expect(schemaDifferences(before, after)).toEqual([difference]);
});
