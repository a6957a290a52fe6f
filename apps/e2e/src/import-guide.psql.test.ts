/** @module-tag long */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { expect, onTestFinished, test } from 'vitest';
import { programPath } from '../../../tools/programs.ts';
import { administrator } from './testing/administrator.ts';
import { guideCode } from './testing/guide-code.ts';
import { runCommand } from './testing/run-command.ts';
import { serviceOfFile } from './testing/running-service.ts';

const run = promisify(execFile);
const running = serviceOfFile();

/** Tables like PostHog's, with the columns that the queries of the guide use. */
const TABLES = `
  create table posthog_team (id integer primary key, name text);
  create table posthog_plugin (id integer primary key, name text, config_schema jsonb not null default '[]');
  create table posthog_pluginconfig (
    id integer primary key, team_id integer, plugin_id integer not null, enabled boolean not null default false,
    "order" integer, config jsonb, name text, description text, deleted boolean default false)`;

const SCHEMA = [
  { markdown: 'Not a field' },
  { key: 'host', name: 'Host', type: 'string', hint: '', required: true, order: 1 },
  { key: 'mode', type: 'choice', choices: ['fast', 'safe'], default: 'safe' },
  { key: 'token', type: 'string', secret: true },
  { key: 'file', type: 'attachment' },
];
/** Everything that formats of copy escape. */
const TRICKY = String.raw`C:\new "quoted", tab	\u0041 ü€😀 ` + 'line\nbreak \x7f';

test('the queries of the guide make lines that an import takes, with secrets, in order', async () => {
  const { databaseUrl, rows } = running();
  await rows(TABLES);
  await rows(`insert into posthog_team values (1, 'Acme'), (2, ' '), (3, 'Nothing left')`);
  await rows(
    `insert into posthog_plugin values (61, 'GeoIP (v2)', $1), (62, 'Unused', $1), (63, 'Filter', '[]'), (64, $2, '[]'), (65, ' 日本 ', '[]'),
      (66, '42', '[]')`,
    [JSON.stringify(SCHEMA), `--[Ünits] ${'x'.repeat(63)}`],
  );
  await rows(
    `insert into posthog_pluginconfig values
      (11, 1, 61, true, 2, $1, 'Second', null, false), (12, 1, 63, false, 1, null, 'First', 'About it', null),
      (13, 2, 61, true, 1, '{}', null, null, false), (14, 3, 61, true, 1, null, null, null, true),
      (15, 1, 64, true, 3, null, null, null, false), (16, 1, 65, true, 4, null, null, null, false),
      (17, 1, 66, true, 4, null, null, null, false)`,
    [JSON.stringify({ host: TRICKY, token: TRICKY })],
  );

  const plugins = (await linesOf('from posthog_plugin p')).trimEnd().split('\n');
  expect(plugins).toHaveLength(5);
  for (const input of plugins) {
    const env = { DATABASE_URL: databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS };
    expect(await runCommand(['plugin', 'register', '-'], { env, input })).toMatchObject({ code: 0 });
  }
  const env = { API_URL: await running().http.url(), API_KEY: await running().issueKey(['*']) };
  const input = await linesOf('from posthog_pluginconfig c join');
  const { code, stdout } = await runCommand(['import', '-'], { env, input });
  expect(code).toBe(1);
  expect(stdout.replaceAll(/ +/g, ' ')).toContain(
    `tenants 1 0 0 1\nrecords 5 0 0 1\n\nLINE EXTERNAL ID REASON\n2 team-2 plugin_configs[0].config.host: This field is required.\n`,
  );

  const project = (await administrator(running())).project('ext:team-1');
  expect(await project.retrieve()).toMatchObject({ external_id: 'team-1', name: 'Acme' });
  const { results } = await project.pluginConfigs.list().page();
  expect(results).toMatchObject([
    { name: 'First', description: 'About it', enabled: false },
    { name: 'Second', description: null, enabled: true },
    ...[64, 65, 66].map(() => ({ enabled: true })),
  ]);
  const { host, token, mode } = JSON.parse(results[1]?.config ?? '') as Record<string, string>;
  expect({ host, token, mode }).toEqual({ host: TRICKY, token: '********', mode: 'safe' });
  const runtime = await fetch(`${env.API_URL}/api/projects/ext:team-1/plugin_configs/runtime`, {
    headers: { authorization: `Bearer ${await running().issueKey(['plugin_runtime'])}` },
  });
  expect(await runtime.json()).toMatchObject({
    results: [
      { plugin_slug: 'geoip-v2', config: { token: TRICKY } },
      { plugin_slug: `nits-${'x'.repeat(58)}` },
      { plugin_slug: 'plugin-65', plugin_name: '日本' },
      { plugin_slug: '42' },
    ],
  });
});

/** Runs the query of the guide that contains this text, as the guide does. */
async function linesOf(part: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'import-guide-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'query.sql');
  await writeFile(file, await guideCode('import.md', 'sql', part));
  return (await run(programPath('psql'), [running().databaseUrl, '-qXf', file])).stdout;
}
