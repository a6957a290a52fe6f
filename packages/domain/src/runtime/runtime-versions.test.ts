import { expect, test } from 'vitest';
import type { RuntimeVersion } from './runtime-configurations.ts';
import { runtimeVersions } from './runtime-versions.ts';

const at = (familyVersion: number) => ({ familyVersion, registryVersion: 0 });

const FAMILY = { projectId: 1, family: 'plugin_configs' } as const;

const versionAt = (familyVersion: number): RuntimeVersion => ({
  version: `v${familyVersion}`,
  bytes: 0,
  listVersion: familyVersion,
  registryVersion: 0,
  familyVersion,
});

/** Reads that resolve to the state at which they started, in any order. */
function reads() {
  const started: { readonly resolve: () => void }[] = [];
  let state = 1;
  const versions = runtimeVersions({
    configurations: {
      version: () => {
        const { promise, resolve } = Promise.withResolvers<RuntimeVersion>();
        const found = versionAt(state);
        started.push({ resolve: () => resolve(found) });
        return promise;
      },
    },
  });
  return { versions, started, change: () => void state++ };
}

test('a read that started before a change is not shared with a caller after it', async () => {
  const { versions, started, change } = reads();
  const earlier = [versions.current(FAMILY), versions.at(FAMILY, at(1))];
  change();
  const later = [versions.current(FAMILY), versions.at(FAMILY, at(2))];
  for (const { resolve } of started.toReversed()) resolve();
  const found = await Promise.all([...earlier, ...later]);
  expect(found.map(({ version }) => version)).toEqual(['v1', 'v1', 'v2', 'v2']);
  expect(versions.kept(FAMILY, at(2))?.version).toBe('v2');
});

test('callers at the same cache version share a read', async () => {
  const { versions, started } = reads();
  const both = [versions.at(FAMILY, at(1)), versions.at(FAMILY, at(1))];
  await Promise.resolve();
  expect(started).toHaveLength(1);
  for (const { resolve } of started) resolve();
  expect(await Promise.all(both)).toEqual([versionAt(1), versionAt(1)]);
});
