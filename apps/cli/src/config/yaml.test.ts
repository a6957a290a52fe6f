import { expect, test } from 'vitest';
import { formatYaml, parseYaml } from './yaml.ts';

test('formatted YAML parses to the same value', async () => {
  const value = { format: 1, 'a.b': ['yes', '1', 1.5, null, '', ' x\n# y'], __proto__x: { on: 'off' } };
  expect((await parseYaml(await formatYaml(value), 'a.yaml')).value).toEqual(value);
});

test('locates a value, or the closest enclosing value', async () => {
  const { positionOf } = await parseYaml('a:\n  - b: 1\n    c.d: 2\n', 'a.yaml');
  expect(['a[0].c.d', 'a[0].b', 'a[7]', 'z'].map(positionOf)).toEqual([
    'a.yaml:3:5',
    'a.yaml:2:5',
    'a.yaml:1:1',
    'a.yaml:1:1',
  ]);
});

test.for([
  ['aliases that would expand exponentially', 'a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n', /Aliases/],
  ['an alias of nothing', 'a: 1\nb: *a\n', /Unresolved alias|Aliases/],
  ['a standard tag', 'a: !!binary AAAA\n', /Tags/],
  ['an unknown tag', 'a: !run x\n', /Unresolved tag/],
  ['a repeated key', 'a:\n  b: 1\n  b: 2\n', /^Map keys must be unique\.$/],
  ['a key repeated in another notation', '{"a": 1, a: 2}', /^Map keys must be unique\.$/],
  ['a key that is not a string', '? [a]\n: 1\n', /keys/],
  ['a second document', 'a: 1\n---\na: 1\n', /multiple documents/],
  ['an unterminated string', '"a', /Missing closing/],
] as const)('rejects %s with its position', async ([, text, reason]) => {
  const [, position, message] = await parseYaml(text, 'a.yaml').then(
    () => [],
    (error: unknown) => /^Error: (a\.yaml:\d+:\d+): (.*)/s.exec(String(error)) ?? [],
  );
  expect(position).toBeDefined();
  expect(message).toMatch(reason);
});
