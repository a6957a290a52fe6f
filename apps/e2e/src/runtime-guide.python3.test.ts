/** @module-tag long */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject, Registration, Runtime } from '@plugin-config/client';
import { until } from '@plugin-config/server/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { guideCode } from './testing/guide-code.ts';
import { PYTHON } from './testing/python.ts';
import { registerPlugin } from './testing/register-plugin.ts';
import { revokeKey } from './testing/revoke-key.ts';
import { serviceOfFile } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

const CANARY = 'canary-4711';
const GUIDE = new URL('../../../docs/runtimes/jobs.md', import.meta.url);
const running = serviceOfFile();
let folder = '';
const started: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-config-runtime-'));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await rm(folder, { recursive: true });
});

/** Starts a program in the test folder. `output` returns its output so far. */
function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } });
  started.push(child);
  let output = '';
  const take = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return { child, output: () => output, exited: once(child, 'exit') };
}

/** Creates a tenant with an enabled record that has a secret. */
async function configuredTenant(registration: Partial<Registration> = {}) {
  const tenant = await running().tenant();
  const config_schema = [
    { key: 'host', type: 'string' },
    { key: 'token', type: 'string', secret: true, runtime_writable: true },
  ] as const;
  await registerPlugin(running(), { id: 61, name: 'GeoIP', config_schema, ...registration });
  const id = await tenant.attach(61);
  const set = (config: object) => tenant.call('PUT', `/plugin_configs/${id}/config`, config);
  await tenant.call('PATCH', `/plugin_configs/${id}`, { enabled: true });
  await set({ host: 'first', token: CANARY });
  return { tenant, id, set, key: await running().issueKey(['plugin_runtime'], [tenant.projectId]) };
}

async function isCurrent(tenant: Tenant): Promise<boolean> {
  const { body } = await tenant.call<{ results: readonly Runtime[] }>('GET', '/plugin_configs/runtimes');
  return (
    body.results.length === 1 && body.results.every(({ current, status }) => current && status === 'applied')
  );
}

test('the Python runtime applies, reports, starts without the service, and stops when its key is revoked', async () => {
  const { tenant, set, key } = await configuredTenant();
  await writeFile(join(folder, 'runtime.py'), await guideCode('runtimes/python.md', 'python', '/runtimes/'));
  const api = `${tenant.api}/api/projects/@current/plugin_configs`;
  const begin = () => start(PYTHON, ['runtime.py'], { API: api, KEY: key, INSTANCE: 'one' });
  const first = begin();
  await until(() => isCurrent(tenant));
  expect(first.output()).toBe('run GeoIP with host token\n');
  const changed = performance.now();
  await set({ host: 'second', token: CANARY });
  await until(() => isCurrent(tenant));
  expect(performance.now() - changed).toBeLessThan(5_000);
  const file = join(folder, 'config.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    results: [{ config: { host: 'second', token: CANARY } }],
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  first.child.kill('SIGKILL');

  await running().end('http');
  const second = begin();
  await until(() => second.output().includes('run GeoIP with'));
  await running().restart('http');
  await set({ host: 'third' });
  await until(() => isCurrent(tenant));

  await revokeKey(running(), tenant);
  const [code] = await second.exited;
  expect([code, second.output()]).toEqual([
    1,
    expect.stringMatching(/The key was rejected: HTTP Error 401.*"detail":/),
  ]);
  const third = begin();
  expect((await third.exited)[0]).toBe(1);
  await running().end('http');
  const fourth = begin();
  await until(() => fourth.output().includes('trying again'));
  expect([third, fourth].map(({ output }) => output()).join('')).not.toContain('run GeoIP');
  await running().restart('http');
  expect([first, second, third, fourth].map(({ output }) => output()).join('')).not.toContain(CANARY);
}, 120_000);

/** Runs a program after the functions of the Python example and that of the guide that writes back. Returns its output. */
async function runWithWriteBack(program: string, api: string, key: string): Promise<string> {
  const [functions = ''] = (await guideCode('runtimes/python.md', 'python', '/runtimes/')).split(
    'report, pause =',
  );
  const writeBack = await guideCode('runtimes/python.md', 'python', 'def write_back');
  await writeFile(join(folder, 'write.py'), `${functions}${writeBack}\n${program}`);
  const env = { API: `${api}/api/projects/@current/plugin_configs`, KEY: key };
  const { exited, output } = start(PYTHON, ['write.py'], env);
  await exited;
  return output();
}

test('the Python function writes a secret back once, and does not get it as a change', async () => {
  const { tenant, key } = await configuredTenant();
  const program = `
config = poll(None)
[record] = config["results"]
after = write_back(config, record, {"token": "rotated"})
again = write_back(config, record, {"token": "rotated"})
now = poll(None)
print(json.dumps([after == now, again == now, now["results"][0]["config"]["token"]]))
try: write_back(config, record, {"token": "late"})
except HTTPError as error: print(error.code)
try: write_back(after, after["results"][0], {"host": "a"})
except HTTPError as error: print(error.code)
`;
  expect(await runWithWriteBack(program, tenant.api, key)).toBe('[true, true, "rotated"]\n412\n400\n');
});

test('the Python function does not lose a secret when responses are lost, or the service is busy', async () => {
  const { tenant, key } = await configuredTenant();
  const program = `
pauses = []
time.sleep = pauses.append
random.uniform = lambda *_: 1
config = poll(None)
after = write_back(config, config["results"][0], {"token": "rotated"})
print(json.dumps([after == poll(None), after["results"][0]["config"]["token"], [int(pause) for pause in pauses]]))
`;
  // The write is stored at once. Each repetition gets 412, and reads.
  const faults = ['none', 'cut', 'none', 'busy', 'none', 'unframed', 'none', 'none'] as const;
  const api = await unreliable(tenant.api, faults);
  expect(await runWithWriteBack(program, api, key)).toBe('[true, "rotated", [1, 7, 4]]\n');
});

/** `cut` and `unframed` lose half of the response to a request that was carried out. */
type Fault = 'none' | 'cut' | 'unframed' | 'busy';

/** Starts a proxy of the service, whose first responses have these faults. */
async function unreliable(upstream: string, faults: readonly Fault[]): Promise<string> {
  const left = [...faults];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { url = '', method = '', headers } = request;
      const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
      const fault = left.shift() ?? 'none';
      if (fault === 'busy') return void response.writeHead(503, { 'retry-after': '7' }).end();
      const body = chunks.length === 0 ? null : Buffer.concat(chunks);
      const sent = ['authorization', 'content-type', 'if-none-match'].flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value] as const] : [];
      });
      const received = await fetch(upstream + url, { method, body, headers: Object.fromEntries(sent) });
      const bytes = Buffer.from(await received.arrayBuffer());
      const etag = received.headers.get('etag');
      response.useChunkedEncodingByDefault = false;
      response.writeHead(received.status, {
        ...(etag !== null && { etag }),
        ...(fault !== 'unframed' && { 'content-length': bytes.length }),
      });
      const half = bytes.subarray(0, bytes.length / 2);
      if (fault === 'cut') response.write(half, () => response.destroy());
      else response.end(fault === 'unframed' ? half : bytes);
    };
    answer().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the Python host runs all tenants, starts without the service, and stops when its key is revoked', async () => {
  const first = await configuredTenant();
  const second = await configuredTenant();
  const both = [first.tenant, second.tenant];
  const [one, two] = both.map(({ projectId }) => projectId);
  const key = await running().issueKey(
    ['plugin_runtime'],
    both.map(({ projectId }) => projectId),
  );
  await writeFile(
    join(folder, 'host.py'),
    await guideCode('runtimes/all-projects.md', 'python', '/instances/'),
  );
  const api = `${first.tenant.api}/api/runtime/plugin_configs`;
  const begin = () => start(PYTHON, ['host.py'], { API: api, KEY: key, INSTANCE: 'host' });
  const areCurrent = async () => (await Promise.all(both.map(isCurrent))).every(Boolean);
  const host = begin();
  await until(areCurrent);
  expect(host.output().split('\n').toSorted()).toEqual(['', `run ${one} GeoIP`, `run ${two} GeoIP`]);
  const changed = performance.now();
  await second.set({ host: 'second', token: CANARY });
  await until(() => host.output().endsWith(`run ${two} GeoIP\nrun ${two} GeoIP\n`));
  expect(performance.now() - changed).toBeLessThan(5_000);
  await until(areCurrent);
  host.child.kill('SIGKILL');

  await running().end('http');
  const again = begin();
  await until(() => again.output().includes(`run ${two} GeoIP`));
  await running().restart('http');
  await first.tenant.call('PATCH', `/plugin_configs/${first.id}`, { enabled: false });
  await until(() => again.output().includes(`run ${one}\n`));
  expect((await stat(join(folder, 'projects.json'))).mode & 0o777).toBe(0o600);

  await running().rows('update api_key set revoked_at = now() where label = $1', [
    `key of project ${one}, ${two}`,
  ]);
  expect([(await again.exited)[0], again.output()]).toEqual([
    1,
    expect.stringMatching(/The key was rejected: HTTP Error 401.*"detail":/),
  ]);
  expect(host.output() + again.output()).not.toContain(CANARY);
}, 120_000);

/** Prints the tokens of what runs, and fails one record. */
const APPLY = `def apply(*given):
    print("run", *sorted(record["config"]["token"] for record in given[-1]), flush=True)
    return {record["id"]: "It was told to fail." for record in given[-1] if record["config"]["token"] == "fail"}

`;

test.for([
  ['runtimes/python.md', '/runtimes/', 'projects/@current'],
  ['runtimes/all-projects.md', '/instances/', 'runtime'],
] as const)(
  'the Python example in %s runs what it can, and reports each other record',
  { timeout: 60_000 },
  async ([page, part, path]) => {
    const { tenant, set, key } = await configuredTenant();
    const { pluginConfigs } = tenant;
    await set({ token: 'plain' });
    const create = async (plugin: number, token: JsonObject[string]) =>
      (await pluginConfigs.create({ plugin, enabled: true, config: { token } })).id;
    await create(61, { $ref: 'env://PLUGIN_TOKEN' });
    const unknown = await create(61, { $ref: 'env://KEY' });
    const failing = await create(61, 'fail');
    const token = { key: 'token', type: 'string' } as const;
    await registerPlugin(running(), { id: 62, name: 'Mail', config_schema: [token] });
    const invalid = await create(62, 'invalid');
    const config_schema = [token, { key: 'to', type: 'string', required: true }] as const;
    await registerPlugin(running(), { id: 62, name: 'Mail', config_schema });

    const program = (await guideCode(page, 'python', part)).replace(/^def apply\(.*?\n\n(?=\S)/ms, APPLY);
    await writeFile(join(folder, 'main.py'), program);
    const { output } = start(PYTHON, ['main.py'], {
      API: `${tenant.api}/api/${path}/plugin_configs`,
      KEY: key,
      INSTANCE: 'partial',
      PLUGIN_TOKEN: 'resolved',
    });
    const reported = async () => (await pluginConfigs.runtimes().page()).results;
    await until(async () => (await reported()).length === 1);
    const [report] = await reported();
    expect(output()).toBe('run fail plain resolved\n');
    expect(report).toMatchObject({ status: 'failed' });
    expect(new Map(report?.failed.map(({ id: of, error }) => [of, error]))).toEqual(
      new Map([
        [unknown, 'There is no secret for the reference in token.'],
        [failing, 'It was told to fail.'],
        [invalid, 'The schema of the plugin rejects the configuration.'],
      ]),
    );
  },
);

const FIRST_LINE = 'import jobs; jobs.start()';

test.for([
  ['runtimes/python.md', '/runtimes/', 'projects/@current', 'run GeoIP with'],
  ['runtimes/all-projects.md', '/instances/', 'runtime', 'run '],
] as const)(
  'the Python example in %s takes jobs and checks',
  { timeout: 120_000 },
  async ([page, part, path, line]) => {
    const { tenant, id, key } = await configuredTenant({ jobs: [{ type: 'replay' }], checks: true });
    expect(await readFile(GUIDE, 'utf8')).toContain(`\`${FIRST_LINE}\``);
    await writeFile(join(folder, 'jobs.py'), await guideCode('runtimes/jobs.md', 'python', '/claim'));
    await writeFile(join(folder, 'main.py'), `${FIRST_LINE}\n${await guideCode(page, 'python', part)}`);
    const { output } = start(PYTHON, ['main.py'], {
      API: `${tenant.api}/api/${path}/plugin_configs`,
      KEY: key,
      INSTANCE: 'jobs',
      LEASE_SECONDS: '10',
    });
    const { pluginConfigs } = tenant;
    const queue = async (to: string): Promise<string> => {
      const payload = { from: '2026-03-02T17:00:00Z', to };
      return (await pluginConfigs.queueJob(id, { job: { type: 'replay', payload } })).jobId;
    };
    const ended = (job: string) => pluginConfigs.job(id, job, { wait: 50 });

    const [done, broken, endless] = [
      await queue('2026-03-02T17:02:00Z'),
      await queue('later'),
      await queue('9999-12-31T00:00:00Z'),
    ];
    expect(await ended(done)).toMatchObject({ state: 'succeeded', instance: 'jobs', output: { sent: 120 } });
    expect(await ended(broken)).toMatchObject({ state: 'failed', error: 'ValueError', attempts: 1 });
    await until(async () => (await pluginConfigs.job(id, endless)).progress !== null);

    // It is tested although a job is running.
    const check = async (config: JsonObject) =>
      pluginConfigs.checkResult((await pluginConfigs.check({ plugin: 61, config })).id, { wait: 50 });
    const errors = [{ attr: 'token', detail: 'The server needs a token.' }];
    expect(await check({ host: 'a', token: CANARY })).toMatchObject({ ok: true, errors: [] });
    expect(await check({ host: 'a' })).toMatchObject({ state: 'succeeded', ok: false, errors });

    await pluginConfigs.cancelJob(id, endless);
    expect(await ended(endless)).toMatchObject({
      state: 'cancelled',
      error: expect.stringMatching(/^Stopped after \d+ of \d+ events\.$/),
      attempts: 1,
    });
    await until(() => output().includes(line));
    expect(output()).not.toContain('again');
    expect(output()).not.toContain(CANARY);
  },
);

test('the curl loop applies, reports, and stops when its key is revoked', async () => {
  const { tenant, set, key } = await configuredTenant();
  const api = await unreliable(tenant.api, ['none', 'none', 'cut']);
  const loop = (await guideCode('runtimes.md', 'sh', 'while')).replace('http://127.0.0.1:8000', api);
  const { output, exited } = start('sh', ['-c', loop], { KEY: key });
  await until(() => isCurrent(tenant));
  await set({ host: 'second' });
  await until(() => isCurrent(tenant));
  expect(output()).toBe('apply config.json here\n'.repeat(2));
  expect(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'))).toMatchObject({
    results: [{ config: { host: 'second', token: CANARY } }],
  });
  await revokeKey(running(), tenant);
  expect((await exited)[0]).toBe(1);
  expect(output()).toContain('The key was rejected: 401');
  expect(await readdir(folder)).not.toContain('config.json');
}, 120_000);
