/** @module-tag long */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cacheFile } from './cache-file.ts';

const KILLS = 60;
const OWNER = { key: 'phx_key', url: 'http://127.0.0.1:8000', project: 1, family: 'plugin_configs' };
/** Large enough for many kills to interrupt a write. */
const SIZE = 200_000;

/** Stores one version after another, and prints each version that was stored. */
const WRITER = `
  const { cacheFile } = await import(${JSON.stringify(join(import.meta.dirname, 'cache-file.ts'))});
  const [path, first] = process.argv.slice(1);
  const file = cacheFile(path, ${JSON.stringify(OWNER)});
  const config = { text: 'x'.repeat(${SIZE}) };
  for (let version = Number(first); ; version++) {
    await file.store({ version: String(version), results: [{ config }] });
    process.stdout.write(version + '\\n');
  }
`;

test('after a kill, the file has the version that was stored last or the next one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-killed-'));
  const path = join(folder, 'plugins.cache');
  let last = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const writer = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, path, String(last + 1)]);
    let printed = '';
    writer.stdout.on('data', (text) => (printed += String(text)));
    await once(writer.stdout, 'data');
    await sleep(Math.random() * 30);
    writer.kill('SIGKILL');
    await once(writer, 'close');
    const stored = Number(printed.trim().split('\n').at(-1));
    const loaded = await cacheFile(path, OWNER).load();
    expect(loaded?.configuration.results).toEqual([{ config: { text: 'x'.repeat(SIZE) } }]);
    last = Number(loaded?.configuration.version);
    expect([stored, stored + 1]).toContain(last);
  }
  // A temporary file proves that a kill has interrupted a write.
  expect((await readdir(folder)).length).toBeGreaterThan(1);
  await rm(folder, { recursive: true });
});
