/** @module-tag long */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logSender } from '@plugin-config/client';
import { openRuntime, type PluginRuntime, type RuntimeOptions } from '@plugin-config/client/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { retryingProject } from './testing/retrying-project.ts';
import { revokeKey } from './testing/revoke-key.ts';
import { sharedService } from './testing/shared-service.ts';

const running = sharedService();

test('reads and conditional writes survive a restart of the HTTP app', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const { pluginConfigs } = retryingProject(tenant);
  const record = await pluginConfigs.retrieve(id);
  await service.end('http');
  const calls = Promise.all([
    pluginConfigs.update(id, { name: 'New' }, { ifMatch: record }),
    pluginConfigs.list().page(),
  ]);
  await service.restart('http');
  expect(await calls).toMatchObject([{ id, name: 'New' }, { count: 1 }]);
});

test('a log sender counts dead letters, and stops when its key is revoked', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const sender = logSender({ url: tenant.ingestion, key: tenant.token });
  await sender.logger(id).info('good');
  await sender.logger(999_999).info('nobody');
  expect(await sender.flush()).toEqual({
    stored: 1,
    duplicates: 0,
    dead: 1,
    errors: [{ line: 2, reason: 'unknown_plugin_config', detail: expect.any(String) }],
  });
  await revokeKey(service, tenant);
  await sender.logger(id).info('late');
  await expect(sender.flush()).rejects.toMatchObject({ code: 'authentication_failed', status: 401 });
});

test('a runtime keeps running during outages and reconnects after each of them', async () => {
  const { service, tenant, id, options } = await createRunnableFamily();
  const runtime = await openRuntime(options);
  const { names, errors } = observe(runtime);
  for (const name of ['B', 'C', 'D']) {
    await service.end('http');
    await expect.poll(() => runtime.current().stale, SLOW_POLL).toBe(true);
    await service.restart('http');
    await expect.poll(() => runtime.current().stale, SLOW_POLL).toBe(false);
    await retryingProject(tenant).pluginConfigs.update(id, { name });
    await expect.poll(() => names.at(-1), SLOW_POLL).toBe(name);
  }
  expect(names).toEqual(['A', 'B', 'C', 'D']);
  expect(new Set(errors)).toEqual(new Set(['unreachable']));
  await runtime.close();
});

test('runtimes that share a file start without the service, and follow it once it is back', async () => {
  const { service, tenant, id, options, folder } = await createRunnableFamily();
  const both = ['eu-1', 'eu-2'].map((instance) => ({ ...options, instance }));
  const first = await Promise.all(both.map(openRuntime));
  for (const name of ['B', 'C', 'D']) {
    await retryingProject(tenant).pluginConfigs.update(id, { name });
    await expect.poll(() => first.map(nameOf), SLOW_POLL).toEqual([name, name]);
  }
  await expect
    .poll(async () => (await tenant.pluginConfigs.runtimes().page()).results, SLOW_POLL)
    .toMatchObject([
      { instance: 'eu-1', current: true },
      { instance: 'eu-2', current: true },
    ]);
  await Promise.all(first.map(async (runtime) => runtime.close()));
  expect(await readdir(folder)).toEqual(['plugins.cache']);

  await service.end('http');
  const second = await Promise.all(both.map(openRuntime));
  const heard = second.map(observe);
  expect(second.map((runtime) => runtime.current())).toMatchObject([{ stale: true }, { stale: true }]);
  await service.restart('http');
  await retryingProject(tenant).pluginConfigs.update(id, { name: 'E' });
  await expect
    .poll(() => heard.map(({ names }) => names), SLOW_POLL)
    .toEqual([
      ['D', 'E'],
      ['D', 'E'],
    ]);
  await Promise.all(second.map(async (runtime) => runtime.close()));
});

test('a key that expires during an outage is reported afterwards, and still rejected in the next outage', async () => {
  const { service, options } = await createRunnableFamily();
  await (await openRuntime(options)).close();
  await service.end('http');
  const runtime = await openRuntime(options);
  const { names, errors } = observe(runtime);
  await service.rows(
    "update api_key set expires_at = now() where scopes = '{plugin_runtime}' and label = $1",
    [`key of project ${options.project}`],
  );
  await expect.poll(() => names).toEqual(['A']);
  expect(runtime.current().stale).toBe(true);
  await service.restart('http');
  await expect.poll(() => errors.at(-1), SLOW_POLL).toBe('authentication_failed');
  expect(() => runtime.current()).toThrow('authentication_failed');
  await expect(openRuntime(options)).rejects.toMatchObject({ status: 401 });
  await service.end('http');
  await expect(openRuntime({ ...options, startTimeoutMs: 0 })).rejects.toMatchObject({ code: 'unreachable' });
  await service.restart('http');
});

const SLOW_POLL = { timeout: 60_000 };

/** Creates a project with a record called A, and the options of a runtime for it. */
async function createRunnableFamily() {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  await tenant.pluginConfigs.update(id, { name: 'A', enabled: true });
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-runtime-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const options: RuntimeOptions = {
    url: tenant.api,
    key: await service.issueKey(['plugin_runtime'], [tenant.projectId]),
    project: tenant.projectId,
    family: 'plugin_configs',
    cacheFile: join(folder, 'plugins.cache'),
    retry: { baseMs: 100, maxPauseMs: 500 },
  };
  return { service, tenant, id, options, folder };
}

const nameOf = (runtime: PluginRuntime) => runtime.current().results[0]?.name;

/** Records the names of the record and the codes of errors that a runtime reports. */
function observe(runtime: PluginRuntime) {
  const names: unknown[] = [];
  const errors: unknown[] = [];
  runtime.on('change', ({ results }) => names.push(results[0]?.name));
  runtime.on('error', (error) => errors.push('code' in error ? error.code : error));
  return { names, errors };
}
