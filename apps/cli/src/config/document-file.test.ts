import { expect, test } from 'vitest';
import { checkDocument, formatYaml, parseYaml } from './document-file.ts';

const HEAD = 'format: 1\nmanager: team\n';

async function read(text: string): Promise<unknown> {
  return (await checkDocument(await parseYaml(text, 'c.yaml'))).document;
}

test('reads the same document from YAML and JSON', async () => {
  const document = {
    format: 1,
    manager: 'team',
    plugin_configs: [
      { key: 'geoip', plugin: 3, name: '\u{1F600}', config: { 'a.b': [1.5, 'yes'], c: null } },
    ],
  };
  const yaml = `${HEAD}plugin_configs:\n  - key: geoip\n    plugin: 3\n    name: \u{1F600}\n    config: { a.b: [1.5, yes], c: }\n`;
  expect(await read(yaml)).toEqual(document);
  expect(
    await read(JSON.stringify(document, null, '\t').replace('\u{1F600}', String.raw`\ud83d\ude00`)),
  ).toEqual(document);
});

const RECORD = `${HEAD}plugin_configs:\n  - key: a\n    plugin: 3\n`;

test.for([
  [`${RECORD}    key: b\n`, 'c.yaml:6:5: Map keys must be unique.'],
  [`${RECORD}    enabld: true\n`, 'c.yaml:6:5: plugin_configs[0].enabld: There is no such field.'],
  [
    `${RECORD}  - key: a\n    plugin: 4\n`,
    'c.yaml:6:5: plugin_configs[1].key: The key "a" occurs twice in this family.',
  ],
  [`${RECORD}  - key: b\n`, 'c.yaml:6:5: plugin_configs[1].plugin: This field is required.'],
  [`${RECORD}    config: &x {}\n`, /^c\.yaml:6:\d+: Aliases and anchors are not allowed/],
  [`${RECORD}    config: *x\n`, /^c\.yaml:6:13: /],
  [`${RECORD}    name: !!str 5\n`, /^c\.yaml:6:\d+: Tags are not allowed/],
  [`${RECORD}    name: !own x\n`, 'c.yaml:6:11: Unresolved tag: !own.'],
  [
    `${RECORD}    config: { n: 12345678901234567890 }\n`,
    /^c\.yaml:6:18: The number 12345678901234567890 cannot be stored/,
  ],
  [`${RECORD}    config: { n: .inf }\n`, /^c\.yaml:6:18: The number \.inf cannot be stored/],
  [`${HEAD}---\n${HEAD}`, /^c\.yaml:3:1: Source contains multiple documents/],
  ['a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n', /^c\.yaml:1:\d+: Aliases and anchors/],
  ['{"a": 1, a: 2}', /^c\.yaml:1:\d+: Map keys must be unique\.$/],
  ['? [a]\n: 1\n', /^c\.yaml:1:\d+: .*keys/],
  ['"a', /^c\.yaml:1:\d+: Missing closing/],
  ['{"format": 1,\n "manager": 7}', /^c\.yaml:2:2: manager: /],
  ['', /^c\.yaml:1:1: document: /],
] as const)('%j is rejected with file, line and column', async ([text, message]) => {
  await expect(read(text)).rejects.toThrow(message);
});

test('locates what the service rejects, even if a key contains dots', async () => {
  const text = `${RECORD}    config:\n      a: 1\n      a.b: { $secret: X }\n`;
  const { locate } = await checkDocument(await parseYaml(text, 'c.yaml'));
  expect(locate('plugin_configs[0].config.a.b', 'No.')).toBe('c.yaml:8:7: plugin_configs[0].config.a.b: No.');
  expect(locate('max_deletes', 'Too many.')).toBe('max_deletes: Too many.');
  expect(locate(null, 'Not now.')).toBe('Not now.');
});

test('formatted YAML parses to the same value', async () => {
  const value = { format: 1, 'a.b': ['yes', '1', 1.5, null, '', ' x\n# y'], __proto__x: { on: 'off' } };
  expect((await parseYaml(await formatYaml(value), 'a.yaml')).value).toEqual(value);
});

test('locates a value, or the closest enclosing value', async () => {
  const { positionOf } = await parseYaml('a:\n  - b: 1\n    c.d: 2\n', 'a.yaml');
  expect([['a', '0', 'c.d'], ['a', '0', 'b'], ['a', '7'], ['z']].map(positionOf)).toEqual([
    'a.yaml:3:5',
    'a.yaml:2:5',
    'a.yaml:1:1',
    'a.yaml:1:1',
  ]);
});
