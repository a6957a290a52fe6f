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

test("the examples in the client's README work with the packed client in an empty project", async () => {
  await using service = await runService();
  const { api, ingestion, token } = await service.tenant();
  const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const project = await mkdtemp(join(tmpdir(), 'plugin-config-client-example-'));
  await run(process.execPath, [join(CLIENT, 'build.ts'), join(project, 'package')]);
  const { stdout: tarball } = await run('npm', ['pack', '--silent', './package'], { cwd: project });
  await writeFile(join(project, 'package.json'), '{}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball.trim()], { cwd: project });
  const guide = await readFile(new URL('../../../docs/runtimes/node.md', import.meta.url), 'utf8');
  const [[example = ''], [runtime = '']] = [blocksOf(readme, 'js'), blocksOf(guide, 'js')];
  await writeFile(join(project, 'example.mjs'), example);
  await writeFile(join(project, 'runtime.mjs'), runtime);
  const inProject = { cwd: project, env: { API_URL: api, WORKER_URL: ingestion, KEY: token } };
  const { stdout } = await run(process.execPath, ['example.mjs'], inProject);
  expect(stdout).toBe(blocksOf(readme, 'text')[0]);

  const running = run(process.execPath, ['runtime.mjs'], inProject);
  running.child.stdout?.on('data', (text) => String(text).includes('host') && running.child.kill('SIGTERM'));
  expect(await running).toEqual({ stdout: "From the service:\nnull [ 'host' ]\n", stderr: '' });
  expect(runtime.trim().split('\n').length).toBeLessThanOrEqual(16);
  await rm(project, { recursive: true });
});

function blocksOf(markdown: string, language: string): readonly (string | undefined)[] {
  const blocks = markdown.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block]) => block);
}
