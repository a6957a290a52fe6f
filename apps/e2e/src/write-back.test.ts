import { openRuntime, type ProjectConfiguration, type RuntimeRecord } from '@plugin-config/client/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { registerPlugin } from './testing/register-plugin.ts';
import { sharedService } from './testing/shared-service.ts';

const running = sharedService();
const PLUGIN = 4730;

/** A tenant with a record that has a refresh token, and a key for its runtimes. */
async function aTenantWithToken() {
  const service = running();
  const config_schema = [{ key: 'token', type: 'string', secret: true, runtime_writable: true }] as const;
  await registerPlugin(service, { id: PLUGIN, name: 'OAuth', config_schema });
  const tenant = await service.tenant();
  const records = tenant.pluginConfigs;
  const { id } = await records.create({ plugin: PLUGIN, enabled: true, config: { token: 'token 0' } });
  const key = await service.issueKey(['plugin_runtime'], [tenant.projectId]);
  return { tenant, records, id, options: { url: tenant.api, key, family: 'plugin_configs' } as const };
}

const tokenOf = (results: readonly RuntimeRecord[] | undefined) => results?.[0]?.config['token'];

function only(results: readonly RuntimeRecord[] | undefined): RuntimeRecord {
  const [record] = results ?? [];
  if (record === undefined) throw new Error('There is no record.');
  return record;
}

test('a runtime writes secrets back without getting them as changes, and another runtime gets them', async () => {
  const { tenant, records, id, options } = await aTenantWithToken();
  const open = async (instance: string) => {
    const runtime = await openRuntime({ ...options, project: tenant.projectId, instance });
    onTestFinished(async () => runtime.close());
    const seen: unknown[] = [];
    runtime.on('change', ({ results }) => seen.push(tokenOf(results)));
    return { runtime, seen };
  };
  const [writer, reader] = [await open('writer'), await open('reader')];
  let record = only(writer.runtime.current().results);
  for (let n = 1; n <= 5; n++) {
    record = await writer.runtime.setSecrets(record, { token: `token ${n}` });
    await expect.poll(() => reader.seen.at(-1)).toBe(`token ${n}`);
  }
  await records.update(id, { name: 'Renamed' });
  await expect.poll(() => writer.seen).toEqual(['token 0', 'token 5']);
  const old = only(reader.runtime.current().results);
  await writer.runtime.setSecrets(record, { token: 'token 6' });
  await expect(reader.runtime.setSecrets(old, { token: 'late' })).rejects.toMatchObject({ status: 412 });
  expect(await records.activity(id, { limit: 1 }).page()).toMatchObject({
    results: [{ activity: 'config_written' }],
  });
});

test('a host of all projects writes secrets back, with its filter, eager or lazy', async () => {
  const { tenant, records, id, options } = await aTenantWithToken();
  const { projectId } = tenant;
  const common = { ...options, projects: 'all', plugins: [PLUGIN] } as const;
  const eager = await openRuntime({ ...common, instance: 'eager' });
  const lazy = await openRuntime({ ...common, instance: 'lazy', load: 'lazy' });
  onTestFinished(async () => void (await Promise.all([eager.close(), lazy.close()])));
  const seen: unknown[] = [];
  eager.on('change', (projects) => seen.push(...projects.map(({ results }) => tokenOf(results))));
  await expect.poll(() => seen).toEqual(['token 0']);
  const first = await eager.setSecrets(projectId, only(eager.project(projectId)?.results), {
    token: 'token 1',
  });
  expect(tokenOf(eager.project(projectId)?.results)).toBe('token 1');
  const read = async (): Promise<ProjectConfiguration | null> => lazy.project(projectId);
  await expect.poll(async () => tokenOf((await read())?.results)).toBe('token 1');
  await lazy.setSecrets(projectId, only((await read())?.results), { token: 'token 2' });
  expect(tokenOf((await read())?.results)).toBe('token 2');
  await expect.poll(() => seen).toEqual(['token 0', 'token 2']);
  await expect(eager.setSecrets(projectId, first, { token: 'late' })).rejects.toMatchObject({ status: 412 });
  await records.update(id, { name: 'Renamed' });
  await expect.poll(() => seen).toEqual(['token 0', 'token 2', 'token 2']);
});
