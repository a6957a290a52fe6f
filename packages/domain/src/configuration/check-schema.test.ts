import { expect, test } from 'vitest';
import { checkSchema } from './check-schema.ts';
import { TYPE_SCHEMAS } from './configuration.fixture.ts';
import type { ConfigField } from './config-field.ts';

const HOST: ConfigField = { key: 'host', type: 'string' };

test('a schema may have fields of all types with all attributes', () => {
  const schema: readonly ConfigField[] = [
    { ...HOST, name: 'Host', default: 'localhost', required: true, hint: 'Where it runs', site: true },
    { key: 'port', type: 'number', default: 0 },
    { key: 'on', type: 'boolean', default: false },
    { key: 'mode', type: 'choice', choices: ['a', 'b'], default: 'b' },
    { key: 'extra', type: 'json', default: { a: [null] } },
    { key: 'server', type: 'json', default: { port: 1 }, schema: { type: 'object' } },
    { key: 'token', type: 'string', secret: true, runtimeWritable: true, site: false },
    { key: '__proto__', type: 'string' },
    { key: 'none', type: 'number', default: null },
  ];
  expect(() => checkSchema(TYPE_SCHEMAS, schema)).not.toThrow();
  expect(() => checkSchema(TYPE_SCHEMAS, [])).not.toThrow();
});

const REJECTED: readonly {
  readonly name: string;
  readonly fields: readonly ConfigField[];
  readonly code: string;
  readonly attr?: string;
}[] = [
  { name: 'without a key', fields: [{ ...HOST, key: '' }], code: 'blank' },
  { name: 'with a long key', fields: [{ ...HOST, key: 'k'.repeat(201) }], code: 'max_length' },
  { name: 'with a broken key', fields: [{ ...HOST, key: '\0' }], code: 'invalid_input' },
  { name: 'with a duplicate key', fields: [HOST, HOST], code: 'invalid_input' },
  { name: 'that is a choice without choices', fields: [{ key: 'mode', type: 'choice' }], code: 'required' },
  {
    name: 'that is a choice with an empty list',
    fields: [{ key: 'mode', type: 'choice', choices: [] }],
    code: 'required',
  },
  {
    name: 'that runtimes may write although it is not secret',
    fields: [{ ...HOST, runtimeWritable: true }],
    code: 'invalid_input',
  },
  {
    name: 'that is both secret and for the site',
    fields: [{ ...HOST, secret: true, site: true }],
    code: 'invalid_input',
  },
  {
    name: 'with an invalid default',
    fields: [{ ...HOST, default: 5 }],
    code: 'invalid_input',
    attr: 'host',
  },
  {
    name: 'with a default that its JSON Schema rejects',
    fields: [{ key: 'server', type: 'json', default: 'a', schema: { type: 'object' } }],
    code: 'invalid_input',
    attr: 'server.port',
  },
  {
    name: 'with a JSON Schema that is none',
    fields: [{ key: 'server', type: 'json', schema: {} }],
    code: 'invalid_input',
  },
  {
    name: 'with a JSON Schema although it is no JSON',
    fields: [{ ...HOST, schema: { type: 'string' } }],
    code: 'invalid_input',
  },
];

for (const { name, fields, code, attr = 'config_schema' } of REJECTED) {
  test(`a field ${name} is rejected`, () => {
    expect(() => checkSchema(TYPE_SCHEMAS, fields)).toThrow(
      expect.objectContaining({ name: 'DomainError', code, attr }),
    );
  });
}
