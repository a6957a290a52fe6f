import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { programPath } from '../../../tools/programs.ts';
import { runService } from './testing/running-service.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const promtool = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(programPath('promtool'), args)).stdout;

test('Prometheus accepts the alert rules', async () => {
  expect(await promtool('check', 'rules', pathOf('../../../docs/alerts.yml'))).toMatch(
    /SUCCESS: [1-9]\d* rules/,
  );
});

test('each alert fires only on its own cause', async () => {
  expect(await promtool('test', 'rules', pathOf('testing/alerts.rules-test.yml'))).toContain('SUCCESS');
});

test('the metrics of both apps pass the Prometheus linter', { tags: ['long'] }, async () => {
  await using service = await runService();
  for (const app of [service.http, service.worker]) {
    const metrics = await (await fetch(`${await app.url()}/metrics`)).text();
    const { stdout, stderr } = spawnSync(programPath('promtool'), ['check', 'metrics'], { input: metrics });
    expect([String(stdout), String(stderr)]).toEqual(['', '']);
  }
});
