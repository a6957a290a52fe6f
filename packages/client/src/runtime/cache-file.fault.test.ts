/** @module-tag long */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { cacheFile } from './cache-file.ts';

const MODULE = JSON.stringify(join(import.meta.dirname, 'cache-file.ts'));
const KILLS = 60;
const OWNER = { key: 'phx_key', url: 'http://127.0.0.1:8000', follows: 1, family: 'plugin_configs' };
/** Large enough for many kills to interrupt a write. */
const SIZE = 200_000;

/** Stores one version after another, and prints each stored version. */
const WRITER = `
  const { cacheFile } = await import(${MODULE});
  const [path, first] = process.argv.slice(1);
  const file = cacheFile(path, ${JSON.stringify(OWNER)});
  const config = { text: 'x'.repeat(${SIZE}) };
  for (let version = Number(first); ; version++) {
    await file.store({ version: String(version), results: [{ config }] });
    process.stdout.write(version + '\\n');
  }
`;

/** Replaces a file, and is killed after a given number of bytes or a given step. */
const KILLED_WRITER = `
  const fs = (await import('node:fs/promises')).default;
  const [path, moment] = process.argv.slice(1);
  const { open, rename } = fs;
  const reach = async (reached) => {
    if (reached !== moment) return;
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => undefined);
  };
  fs.open = async (...args) => {
    const file = await open(...args);
    const sync = file.sync.bind(file);
    file.writeFile = async (bytes) => {
      for (let written = 0; written <= bytes.length; written++) {
        await reach(String(written));
        if (written < bytes.length) await file.write(bytes, written, 1);
      }
    };
    file.sync = async () => {
      await sync();
      await reach('synced');
    };
    return file;
  };
  fs.rename = async (...args) => {
    await rename(...args);
    await reach('renamed');
  };
  (await import('node:module')).syncBuiltinESMExports();
  const { cacheFile } = await import(${MODULE});
  await cacheFile(path, ${JSON.stringify(OWNER)}).store({ version: 'b', results: [] });
`;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-killed-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  return folder;
}

test('a kill after any byte leaves the previous version, and a kill after the rename leaves the next one', async () => {
  const path = join(await temporaryFolder(), 'plugins.cache');
  const file = cacheFile(path, OWNER);
  await file.store({ version: 'a', results: [] });
  const bytes = Array.from({ length: (await stat(path)).size + 1 }, (_, written) => String(written));
  for (const moment of [...bytes, 'synced', 'renamed']) {
    const args = ['--input-type=module', '--eval', KILLED_WRITER, path, moment];
    const [, signal] = await once(spawn(process.execPath, args), 'close');
    const loaded = await file.load();
    expect([moment, signal, loaded?.state.version]).toEqual([
      moment,
      'SIGKILL',
      moment === 'renamed' ? 'b' : 'a',
    ]);
  }
}, 300_000);

test('after a kill at any time, the file holds the last stored version or the next one', async () => {
  const folder = await temporaryFolder();
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
    expect(loaded?.state.results).toEqual([{ config: { text: 'x'.repeat(SIZE) } }]);
    last = Number(loaded?.state.version);
    expect([stored, stored + 1]).toContain(last);
  }
  // A temporary file proves that a kill has interrupted a write.
  expect((await readdir(folder)).length).toBeGreaterThan(1);
});
