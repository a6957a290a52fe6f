import { expect, test } from 'vitest';
import type { PluginRuntime } from '../runtime/runtime-instance.ts';
import { runtimeBehind, runtimesBehind } from './runtimes-behind.ts';

test.each<readonly [string, Partial<PluginRuntime>, boolean]>([
  ['lacks the schema', {}, true],
  ['knows the schema', { schemas: [3, 4] }, false],
  ['is of another family', { family: 'pipeline_transformation_configs' }, false],
  ['is of another project', { projectIds: [6, 8] }, false],
  ['is of all projects', { projectIds: [] }, true],
  ['serves the shard of the project', { shard: { index: 1, of: 2 } }, true],
  ['serves another shard', { shard: { index: 0, of: 2 } }, false],
])('a runtime that %s', (_, given, isBehind) => {
  const runtime: PluginRuntime = {
    instance: 'a',
    family: 'plugin_configs',
    projectIds: [7],
    shard: { index: 0, of: 1 },
    schemas: [3],
    ...given,
  };
  const moved = { family: { projectId: 7, family: 'plugin_configs' }, schemaVersion: 4 } as const;
  expect(runtimesBehind([runtime], moved)).toEqual(isBehind ? ['a'] : []);
});

test('the error names ten runtimes', () => {
  const names = Array.from({ length: 12 }, (_, n) => `r${n}`);
  const { message } = runtimeBehind(names, 4);
  expect(message).toContain('r9 and 2 more.');
  expect(message).not.toContain('r10');
});
