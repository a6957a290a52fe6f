import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** A test with the path of a file in a folder of its own. */
export const runtimeTest = test.extend<{ readonly cacheFile: string }>({
  cacheFile: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'plugin-config-cache-'));
    // Runs after the hooks that the test adds, which close runtimes.
    onTestFinished(async () => rm(folder, { recursive: true, force: true }));
    await use(join(folder, 'plugins.cache'));
  },
});

/** Polls at short intervals, because most things take a millisecond. */
export const soon = <T>(value: () => T) => expect.poll(value, { interval: 2 });

export const exists = async (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
