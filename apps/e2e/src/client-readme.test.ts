/** @module-tag long */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { guideCode } from './testing/guide-code.ts';
import { installPacked } from './testing/install-packed.ts';
import { runService } from './testing/running-service.ts';

const README = '../packages/client/README.md';
const run = promisify(execFile);

test("the examples in the client's README work with the packed client in an empty project", async () => {
  await using service = await runService();
  const { api, ingestion, token } = await service.tenant();
  await using project = await installPacked('packages/client');
  const { folder } = project;
  const runtime = await guideCode('runtimes/node.md', 'js', 'import { openRuntime }');
  await writeFile(join(folder, 'example.mjs'), await guideCode(README, 'js', 'import { logSender,'));
  await writeFile(join(folder, 'runtime.mjs'), runtime);
  const inProject = { cwd: folder, env: { API_URL: api, WORKER_URL: ingestion, KEY: token } };
  const { stdout } = await run(process.execPath, ['example.mjs'], inProject);
  expect(stdout).toBe(await guideCode(README, 'text', 'stored: 2'));

  const running = run(process.execPath, ['runtime.mjs'], inProject);
  running.child.stdout?.on('data', (text) => String(text).includes('host') && running.child.kill('SIGTERM'));
  expect(await running).toEqual({ stdout: "From the service:\nnull [ 'host' ]\n", stderr: '' });
  expect(runtime.trim().split('\n').length).toBeLessThanOrEqual(16);
});
