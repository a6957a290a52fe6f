/** @module-tag long */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { startIssuer } from '@plugin-config/server/testing';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { administrator } from './testing/administrator.ts';
import { runCommand } from './testing/run-command.ts';
import { runService } from './testing/running-service.ts';
import { startActions } from './testing/start-actions.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const CANARY = 'canary-of-a-pipeline';
const PLUGIN = {
  id: 3,
  name: 'GeoIP',
  config_schema: [
    { key: 'database', type: 'string' },
    { key: 'token', type: 'string', secret: true },
  ],
};

type Texts = Readonly<Record<string, string>>;

interface Workflow {
  readonly permissions: Texts;
  readonly env: Texts;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly if: string;
        readonly env: Texts;
        readonly steps: readonly { readonly run?: string; readonly uses?: string; readonly with?: object }[];
      }
    >
  >;
}

/** The values of GitHub's expressions. */
interface Given {
  readonly vars: Texts;
  readonly secrets: Texts;
  /** What the runner tells jobs that may get a token. */
  readonly actions: Texts;
}

function filled(env: Texts, given: Given): Texts {
  const fill = (value: string): string =>
    value.replaceAll(/\$\{\{ (?<of>vars|secrets)\.(?<name>\w+) \}\}/g, (...found) => {
      const { of, name } = found.at(-1) as { of: 'vars' | 'secrets'; name: string };
      return given[of][name] ?? '';
    });
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
}

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the steps of the job for an event like a runner, in a folder with the checkouts, until one fails. */
async function runJob(event: string, folder: string, given: Given): Promise<Ran> {
  const workflow = parse(await readFile(join(REPOSITORY, 'docs/config-pipeline.yml'), 'utf8')) as Workflow;
  const jobs = Object.values(workflow.jobs).filter((job) => job.if === `github.event_name == '${event}'`);
  expect(jobs).toHaveLength(1);
  let output = '';
  for (const { env, steps } of jobs) {
    const actions = workflow.permissions['id-token'] === 'write' ? given.actions : {};
    const own = { ...filled({ ...workflow.env, ...env }, given), ...actions };
    for (const { run } of steps) {
      if (run === undefined) continue;
      const { PATH = '', HOME = '' } = process.env;
      const child = spawn('sh', ['-e', '-c', run], { cwd: folder, env: { PATH, HOME, ...own } });
      child.stdin.end();
      const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
      const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
      output += out + errors;
      if (code !== 0) return { code, output };
    }
  }
  return { code: 0, output };
}

const GEOIP = {
  key: 'geoip',
  plugin: 3,
  enabled: true,
  config: { database: 'city', token: { $secret: 'GEOIP_TOKEN' } },
};

test('the pipeline plans a pull request, applies the merge, and finds manual edits', async () => {
  await using service = await runService({ OIDC_ALLOW_ADDRESSES: '127.0.0.1' });
  const tenant = await service.tenant();
  const issuer = await startIssuer();
  onTestFinished(() => issuer.close());
  const { trusts } = await administrator(service);
  const trust = async (scope: 'plugin:read' | 'plugin:write', claims: Readonly<Record<string, string[]>>) => {
    const { id } = await trusts.create({
      name: `pipeline with ${scope}`,
      issuer: issuer.url,
      audience: tenant.api,
      claims: { repository_id: ['123456789'], ...claims },
      scopes: [scope],
      project_ids: [tenant.projectId],
    });
    return String(id);
  };
  const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS };
  const registered = await runCommand(['plugin', 'register', '-'], { env, input: JSON.stringify(PLUGIN) });
  expect(registered).toMatchObject({ code: 0 });
  const given: Given = {
    vars: {
      API_URL: tenant.api,
      CONFIG_PROJECT: String(tenant.projectId),
      CONFIG_READ_TRUST: await trust('plugin:read', {}),
      CONFIG_WRITE_TRUST: await trust('plugin:write', { environment: ['production'] }),
    },
    secrets: { GEOIP_TOKEN: CANARY },
    actions: await startActions(issuer),
  };
  const folder = await mkdtemp(join(tmpdir(), 'config-pipeline-'));
  await symlink(REPOSITORY, join(folder, 'service'));
  const propose = (...records: readonly object[]): Promise<void> =>
    writeFile(
      join(folder, 'config.yaml'),
      stringify({ format: 1, manager: 'checkout-team', plugin_configs: records }),
    );
  const ran: Ran[] = [];
  const on = async (event: 'pull_request' | 'push' | 'schedule'): Promise<Ran> => {
    const outcome = await runJob(event, folder, given);
    ran.push(outcome);
    return outcome;
  };
  const names = async () => (await tenant.pluginConfigs.list().page()).results.map(({ name }) => name);

  await propose({ ...GEOIP, enabld: true });
  expect(await on('pull_request')).toMatchObject({
    code: 1,
    output: expect.stringContaining('config.yaml:'),
  });
  await propose({ ...GEOIP, name: 'First' });
  const proposed = await on('pull_request');
  expect(proposed).toMatchObject({
    code: 0,
    output: expect.stringContaining('+ create plugin_configs/geoip'),
  });
  expect(await names()).toEqual([]);
  expect(await on('push')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Applied as \S+: 1 created/),
  });
  expect(await names()).toEqual(['First']);
  expect((await on('schedule')).code).toBe(0);

  await propose({ ...GEOIP, name: 'Second' });
  expect((await on('pull_request')).output).toContain('name: "First" → "Second"');
  expect(await on('push')).toMatchObject({ code: 0, output: expect.stringMatching(/: 1 updated/) });
  expect(await names()).toEqual(['Second']);

  const [record] = (await tenant.pluginConfigs.list().page()).results;
  await tenant.pluginConfigs.update(record?.id ?? 0, { enabled: false });
  expect(await on('schedule')).toMatchObject({ code: 2, output: expect.stringContaining('enabled') });

  await propose();
  expect((await on('pull_request')).output).toContain('- delete plugin_configs/geoip');
  expect(await on('push')).toMatchObject({ code: 1, output: expect.stringContaining('max_deletes is 0') });
  expect(await names()).toEqual(['Second']);
  expect(JSON.stringify(ran)).not.toContain(CANARY);
  expect(await readFile(join(folder, 'plan.json'), 'utf8')).not.toContain(CANARY);
  await rm(folder, { recursive: true });
}, 180_000);
