/** @module-tag long */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildImages } from './testing/build-images.ts';
import { runService } from './testing/running-service.ts';
import { sampleService } from './testing/sample-service.ts';

const run = promisify(execFile);
let folder: string;
let images: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-'));
  images = await buildImages(folder);
}, 180_000);

afterAll(async () => rm(folder, { recursive: true }));

const mainOf = (stage: string, app: string): string =>
  join(images.get(stage) ?? '', 'service/apps', app, 'src/main.ts');

test('the image runs the HTTP app with its console, the worker, and the command', async () => {
  const mains = { http: mainOf('', 'http'), worker: mainOf('', 'worker') };
  await using service = await runService({ NODE_ENV: 'production' }, { mains });
  const url = await service.http.url();
  await expectConsole(url);
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const { body } = await tenant.push([{ plugin_config_id: id, message: 'Hello' }]);
  expect(body.stored).toBe(1);
  const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS, NODE_ENV: 'production' };
  const issue = ['key', 'create', '--label', 'me', '--scope', '*'];
  const { stdout } = await run(process.execPath, [mainOf('', 'cli'), ...issue], { env });
  expect(stdout).toMatch(/^phx_/);
});

test('the image of the sample starts with its own database', async () => {
  await using sample = await sampleService(mainOf('sample', 'cli'));
  await expectConsole(sample.url);
});

async function expectConsole(url: string): Promise<void> {
  const page = await (await fetch(`${url}/console`)).text();
  expect(page).toContain('<script type="module"');
  const script = /src="(?<path>[^"]*\.js)"/.exec(page)?.groups?.['path'] ?? '';
  expect((await fetch(new URL(script, url))).headers.get('content-type')).toContain('text/javascript');
}
