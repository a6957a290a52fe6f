import { expect, test } from 'vitest';
import { prefersYaml } from './prefers-yaml.ts';

test.for([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/*', false],
  ['text/html, */*;q=0.8', false],
  ['application/json', false],
  ['application/yaml', true],
  ['Application/YAML; charset=utf-8', true],
  ['application/yaml, */*', false],
  ['application/yaml, */*;q=0.5', true],
  ['application/yaml;q=0.9, application/json', false],
  ['application/json;q=0.1, application/yaml;q=0.2', true],
  ['application/yaml;q=0', false],
  ['application/yaml;q=x', true],
  ['text/yaml', false],
  [';;,/,q=1', false],
] as const)('%s prefers YAML: %s', ([header, expected]) => {
  expect(prefersYaml(header)).toBe(expected);
});
