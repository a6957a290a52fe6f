/** @module-tag long */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runService } from './testing/running-service.ts';

const CLIENT = fileURLToPath(new URL('../../../packages/client/', import.meta.url));
const run = promisify(execFile);

test("the example of the client's README prints what it says, from an empty project with the packed client", async () => {
  await using service = await runService();
  const { api, ingestion, token } = await service.tenant();
  const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const project = await mkdtemp(join(tmpdir(), 'plugin-config-client-example-'));
  await run(process.execPath, [join(CLIENT, 'build.ts'), join(project, 'package')]);
  const { stdout: tarball } = await run('npm', ['pack', '--silent', './package'], { cwd: project });
  await writeFile(join(project, 'package.json'), '{}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball.trim()], { cwd: project });
  await writeFile(join(project, 'example.mjs'), blockOf(readme, 'js'));
  const { stdout } = await run(process.execPath, ['example.mjs'], {
    cwd: project,
    env: { API_URL: api, WORKER_URL: ingestion, KEY: token },
  });
  expect(stdout).toBe(blockOf(readme, 'text'));
  await rm(project, { recursive: true });
});

function blockOf(markdown: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(markdown)?.[1] ?? '';
}
