import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test as base } from 'vitest';
import { losingProxy } from './testing/losing-proxy.ts';
import { runCommand, COMMAND } from './testing/run-command.ts';
import { registerPlugin } from './testing/register-plugin.ts';
import { sharedService } from './testing/shared-service.ts';
import type { Tenant } from './testing/tenant.ts';

const running = sharedService();

const PLUGIN = {
  id: 3,
  name: 'GeoIP',
  config_schema: [
    { key: 'database', type: 'choice', choices: ['country', 'city'], default: 'country' },
    { key: 'token', type: 'string', secret: true },
  ],
} as const;
const GEOIP = {
  key: 'geoip',
  plugin: 3,
  enabled: true,
  config: { database: 'city', token: { $secret: 'GEOIP_TOKEN' } },
};
const OTHER = { key: 'other', plugin: 3, name: 'Other' };
const CANARY = 'canary-4711-token';

type Outcome = Awaited<ReturnType<typeof runCommand>>;

interface Work {
  readonly tenant: Tenant;
  /** The files of the test. */
  readonly folder: string;
  /** Writes a document with these plugin configs, and returns its path. */
  readonly declare: (...records: readonly object[]) => Promise<string>;
  /** Runs "config" with the key of the tenant and the secret of the document. */
  readonly config: (args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<Outcome>;
  /** Runs "config" on the project of the tenant. */
  readonly onProject: (...args: readonly string[]) => Promise<Outcome>;
}

const test = base.extend<{ readonly work: Work }>({
  work: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'config-command-'));
    const tenant = await running().tenant();
    const env = { API_URL: tenant.api, API_KEY: tenant.token, CONFIG_SECRET_GEOIP_TOKEN: CANARY };
    const config: Work['config'] = (args, more = {}) =>
      runCommand(['config', ...args], { env: { ...env, ...more } });
    await use({
      tenant,
      folder,
      config,
      onProject: (...args) => config([...args, '--project', String(tenant.projectId)]),
      declare: async (...records) => {
        const file = join(folder, 'config.json');
        await writeFile(
          file,
          JSON.stringify({ format: 1, manager: 'team', plugin_configs: records }, null, 2),
        );
        return file;
      },
    });
    await rm(folder, { recursive: true });
  },
});

const NON_INTERACTIVE = ['--yes', '--max-deletes', '0'];

beforeEach(async () => registerPlugin(running(), PLUGIN));

test('a saved plan is applied once, and its secret does not leak', { tags: ['long'] }, async ({ work }) => {
  const { folder, tenant } = work;
  const plan = join(folder, 'plan.json');
  const file = await work.declare(GEOIP, OTHER);
  const planned = await work.onProject('plan', file, '-o', plan, '--exit-code');
  expect(planned).toMatchObject({ code: 2, stderr: expect.stringContaining(`Saved as ${plan}.`) });
  expect(planned.stdout).toBe(
    [
      '+ create plugin_configs/geoip',
      '    plugin: 3',
      '    enabled: true',
      '    order: 1',
      '    config.database: "city"',
      '    config.token: secret, set',
      '+ create plugin_configs/other',
      '    plugin: 3',
      '    order: 2',
      '    name: "Other"',
      '2 to create.\n',
    ].join('\n'),
  );
  const first = await work.config(['apply', plan]);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Applied as \S+: 2 created\.\n$/) });
  const again = await work.config(['apply', plan]);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringMatching(/^This plan was already applied/) });
  expect((await tenant.pluginConfigs.list().page()).count).toBe(2);
  const same = await work.onProject('plan', file, '--exit-code');
  expect(same).toEqual({ code: 0, stdout: 'No changes.\n', stderr: '' });
  const changed = await work.config(['plan', file, '--json', '--project', String(tenant.projectId)], {
    CONFIG_SECRET_GEOIP_TOKEN: `${CANARY}-2`,
  });
  expect(JSON.parse(changed.stdout)).toMatchObject({
    changes: [{ fields: [{ field: 'config.token', secret: 'changed' }] }],
  });
  const { http, worker } = running();
  const exported = await work.onProject('export', '--manager', 'team');
  expect(exported.stdout).toContain('$secret: GEOIP_TOKEN');
  const written = await Promise.all(globSync(join(folder, '*')).map((path) => readFile(path, 'utf8')));
  const seen = [
    planned,
    first,
    again,
    changed,
    exported,
    ...written,
    http.stdout(),
    http.stderr(),
    worker.stdout(),
  ];
  expect(JSON.stringify(seen)).not.toContain(CANARY);
});

test(
  'after a lost response, the plan is retried and takes effect once',
  { tags: ['long'] },
  async ({ work }) => {
    const plan = join(work.folder, 'plan.json');
    await work.onProject('plan', await work.declare(GEOIP), '-o', plan);
    await using proxy = await losingProxy(work.tenant.api, 2);
    const applied = await work.config(['apply', plan], { API_URL: proxy.url });
    expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('was already applied') });
    expect(proxy.lost()).toBe(2);
    expect((await work.tenant.pluginConfigs.list().page()).count).toBe(1);
  },
);

test('a stale plan reports what changed since, and is not applied', { tags: ['long'] }, async ({ work }) => {
  const { pluginConfigs } = work.tenant;
  await work.onProject('apply', await work.declare(GEOIP), ...NON_INTERACTIVE);
  const plan = join(work.folder, 'plan.json');
  await work.onProject('plan', await work.declare(GEOIP, OTHER), '-o', plan);
  const [record] = (await pluginConfigs.list().page()).results;
  const id = record?.id ?? 0;
  await pluginConfigs.update(id, { enabled: false });
  const rejected = await work.config(['apply', plan]);
  expect(rejected).toMatchObject({ code: 1, stdout: '' });
  expect(rejected.stderr).toMatch(
    new RegExp(
      `^RECORD .*\nplugin_configs/${id} +geoip +enabled +key of project \\d+ +\\S+Z\nRecords have changed since`,
    ),
  );
  const asJson = await work.config(['apply', plan, '--json']);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    error: { code: 'precondition_failed' },
    changed: [{ id, key: 'geoip', fields: ['enabled'] }],
  });
  expect((await pluginConfigs.list().page()).count).toBe(1);
  const drift = await work.onProject('drift', '--manager', 'team', '--exit-code');
  expect(drift).toMatchObject({ code: 2, stdout: expect.stringContaining('geoip  enabled') });
});

test(
  'deletions need --max-deletes or a saved plan that contains them',
  { tags: ['long'] },
  async ({ work }) => {
    await work.onProject('apply', await work.declare(GEOIP, OTHER), ...NON_INTERACTIVE);
    const file = await work.declare(GEOIP);
    const rejected = await work.onProject('apply', file, ...NON_INTERACTIVE);
    expect(rejected).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^max_deletes: The plan deletes 1/),
    });
    const unconfirmed = await work.onProject('apply', file);
    expect(unconfirmed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('use --yes and --max-deletes'),
    });
    const plan = join(work.folder, 'plan.json');
    await work.onProject('plan', file, '-o', plan);
    expect(await work.config(['apply', plan])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(': 1 deleted.'),
    });
  },
);

test('errors from the service are reported with line and column', async ({ work }) => {
  const file = await work.declare({ ...GEOIP, config: { database: 'world' } });
  const rejected = await work.onProject('plan', file);
  expect(rejected).toMatchObject({ code: 1, stdout: '' });
  expect(rejected.stderr).toMatch(
    /config\.json:10:9: plugin_configs\[0\]\.config\.database: Not a valid choice/,
  );
});

test(
  'a record that would be enabled without its required entries is reported at its configuration',
  { tags: ['long'] },
  async ({ work }) => {
    const required = { type: 'string', required: true } as const;
    const config_schema = ['host', 'path'].map((key) => ({ key, ...required }));
    await registerPlugin(running(), { id: 32, name: 'Sender', config_schema });
    const file = await work.declare({ key: 'sender', plugin: 32, enabled: true });
    for (const command of [['plan'], ['apply', ...NON_INTERACTIVE]]) {
      const rejected = await work.onProject(command[0] ?? '', file, ...command.slice(1));
      expect(rejected).toMatchObject({ code: 1, stdout: '' });
      expect(rejected.stderr).toMatch(
        /config\.json:5:5: plugin_configs\[0\]\.config\.path: This field is required\.\n.*config\.json:5:5: plugin_configs\[0\]\.config\.host: This field is required\.\n/,
      );
    }
  },
);

test('a saved plan without its document is rejected', { tags: ['long'] }, async ({ work }) => {
  const plan = join(work.folder, 'plan.json');
  await work.onProject('plan', await work.declare(OTHER), '-o', plan);
  const saved = JSON.parse(await readFile(plan, 'utf8')) as object;
  await writeFile(plan, JSON.stringify({ ...saved, document: null }));
  const rejected = await work.config(['apply', plan]);
  expect(rejected).toMatchObject({ code: 1, stderr: expect.stringMatching(/plan\.json: document: /) });
});

test(
  'records are adopted and restored, and another owner is reported',
  { tags: ['long'] },
  async ({ work }) => {
    const { pluginConfigs } = work.tenant;
    const { id } = await pluginConfigs.create({ plugin: 3, name: 'By hand' });
    const adopt = async (manager: string): Promise<Outcome> =>
      work.onProject('adopt', `plugin_configs/${id}=geoip`, '--manager', manager);
    expect(await adopt('team')).toMatchObject({ code: 0 });
    expect(await adopt('others')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`plugin_configs/${id} +geoip +team\nAnother manager owns`)),
    });
    await pluginConfigs.update(id, { name: 'Renamed' });
    expect(await work.onProject('restore', `plugin_configs/${id}`, '1')).toMatchObject({ code: 0 });
    expect(await pluginConfigs.retrieve(id)).toMatchObject({ name: 'By hand' });
  },
);

test(
  'an exported document plans no changes, and keeps trailing white space',
  { tags: ['long'] },
  async ({ work }) => {
    const script = { key: 'script', plugin: 9, config: { text: 'a\n\nb  \n\n' } };
    const file = await work.declare(GEOIP, { ...OTHER, description: '42' }, script);
    expect(await work.onProject('apply', file, ...NON_INTERACTIVE)).toMatchObject({ code: 0 });
    const { stdout: exported } = await work.onProject('export', '--manager', 'team');
    const copy = join(work.folder, 'exported.yaml');
    await writeFile(copy, exported);
    expect(await work.onProject('plan', copy, '--exit-code')).toEqual({
      code: 0,
      stdout: 'No changes.\n',
      stderr: '',
    });
  },
);

test.for([
  ['FORCE_COLOR', '\u001B[32m+\u001B[39m create'],
  ['NO_COLOR', '+ create'],
  ['ANY', '+ create'],
] as const)('with %s the output of a plan starts with %j', async ([variable, begin], { work }) => {
  const args = ['plan', await work.declare(OTHER), '--project', String(work.tenant.projectId)];
  const { stdout } = await work.config(args, { [variable]: '1' });
  expect(stdout.startsWith(begin)).toBe(true);
});

test(
  'an export warns about values that the current schema no longer allows',
  { tags: ['long'] },
  async ({ work }) => {
    const id = 31;
    const register = (keys: readonly string[]) =>
      registerPlugin(running(), {
        id,
        name: 'Sender',
        config_schema: keys.map((key) => ({ key, type: 'string' as const })),
      });
    await register(['host', 'old']);
    const file = await work.declare({ key: 'sender', plugin: id, config: { host: 'a', old: 'b' } });
    expect(await work.onProject('apply', file, ...NON_INTERACTIVE)).toMatchObject({ code: 0 });
    await register(['host']);
    const { stdout, stderr } = await work.onProject('export', '--manager', 'team');
    expect(stdout).toContain('config:\n      host: a\n');
    expect(stdout).not.toContain('warnings');
    expect(stderr).toMatch(/^plugin_configs\[0\]\.config: Left out, .*: "old"\.\n$/);
    const exported = join(work.folder, 'config.yaml');
    await writeFile(exported, stdout);
    expect(await work.onProject('plan', exported, '--exit-code')).toMatchObject({ code: 0 });
    const { body: document } = await work.tenant.call<object>('GET', '/configuration?manager=team');
    expect(document).toMatchObject({ warnings: [{ attr: 'plugin_configs[0].config' }] });
    const { status } = await work.tenant.call('POST', '/configuration/plan', { document });
    expect(status).toBe(200);
  },
);

test('an export fails if its file cannot be written completely', { tags: ['long'] }, async ({ work }) => {
  const file = await work.declare({ key: 'script', plugin: 9, config: { text: 'word '.repeat(10_000) } });
  expect(await work.onProject('apply', file, ...NON_INTERACTIVE)).toMatchObject({ code: 0 });
  const { tenant, folder } = work;
  const command = `ulimit -f 8; exec "$NODE" "$MAIN" config export --project "$PROJECT" --manager team > config.yaml`;
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: {
      NODE: process.execPath,
      MAIN: COMMAND,
      PROJECT: String(tenant.projectId),
      API_URL: tenant.api,
      API_KEY: tenant.token,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^.*EFBIG.*\n$/)]);
});

test('a file that is not UTF-8 is rejected', async ({ work }) => {
  const file = await work.declare(OTHER);
  await writeFile(file, Buffer.from((await readFile(file, 'utf8')).replace('Other', 'Größe'), 'latin1'));
  expect(await work.config(['validate', file])).toMatchObject({
    code: 1,
    stderr: `${file} is not valid UTF-8.\n`,
  });
});

test.for([
  [{ API_KEY: '' }, /^API_URL and API_KEY are required/],
  [{ API_URL: 'nowhere' }, /^Invalid API_URL: expected an address/],
  [{ API_KEY: 'phx_wrong' }, /Invalid|invalid|API key/],
  [{ API_URL: 'http://127.0.0.1:1' }, /could not be reached\. \(unreachable\) bad port/],
] as const)('with %j the command fails with a plain message', async ([env, message], { work }) => {
  const failed = await work.config(['drift', '--project', '1', '--manager', 'team'], env);
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toMatch(message);
});
