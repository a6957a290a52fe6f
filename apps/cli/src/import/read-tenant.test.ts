import { expect, test } from 'vitest';
import { reason } from '../reason.ts';
import { readFields, readTenant } from './read-tenant.ts';

const CANARY = 'canary-4711';
const read = (text: string | Uint8Array) => readTenant(readFields(Buffer.from(text)));
const line = (fields: object) => JSON.stringify({ external_id: 'acme', name: 'Acme', ...fields });
const record = (fields: object) =>
  line({ plugin_configs: [{ key: 'a', plugin: 3, config: { token: CANARY }, ...fields }] });

test('a line is a tenant with a document of the manager "import"', () => {
  const records = [{ key: 'a', plugin: 3, enabled: true, config: { token: CANARY } }];
  expect(read(line({ name: ' Acme ', plugin_configs: records }))).toEqual({
    externalId: 'acme',
    name: 'Acme',
    document: { format: 1, manager: 'import', plugin_configs: records },
  });
  expect(read('{"external_id": "acme"}')).toEqual({
    externalId: 'acme',
    name: undefined,
    document: { format: 1, manager: 'import' },
  });
});

const NO_JSON = 'The line is not JSON in UTF-8, or one of its objects has the same key twice.';

test.for([
  [`{"token": "${CANARY}`, NO_JSON],
  [Buffer.from([0x22, 0xff, 0x22]), NO_JSON],
  [`{"external_id": "a", "external_id": "b"}`, NO_JSON],
  ['[]', 'The line is not a JSON object.'],
  ['7', 'The line is not a JSON object.'],
  ['{}', /^external_id: An external id has 1 to 100 letters/],
  ['{"external_id": 7}', /^external_id: /],
  [line({ external_id: 'a b' }), /^external_id: An external id has 1 to 100 letters/],
  [line({ name: ' ' }), 'name: A project needs a name.'],
  [line({ plugin_confgs: [] }), 'plugin_confgs: There is no such field.'],
  [record({ enabld: true }), 'plugin_configs[0].enabld: There is no such field.'],
  [record({ plugin: undefined }), 'plugin_configs[0].plugin: This field is required.'],
  [record({ key: 'a b' }), /^plugin_configs\[0\]\.key: /],
  [
    record({}).replace('}]', '},{"key": "a", "plugin": 3}]'),
    /plugin_configs\[1\]\.key: The key "a" occurs twice/,
  ],
  [record({}).replace(`"${CANARY}"`, '12345678901234567890'), /^plugin_configs\[0\]\.config\.token: /],
] as const)('%s is rejected without showing values', ([text, message]) => {
  let found = 'accepted';
  try {
    read(text);
  } catch (error) {
    found = reason(error);
  }
  expect(found).toMatch(message);
  expect(found).not.toContain(CANARY);
});
