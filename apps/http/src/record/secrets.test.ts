import type { WireRestoredRecord } from '@plugin-config/contract';
import { registerPlugin, type ConfigField } from '@plugin-config/domain';
import { anAuthor, aPlugin } from '@plugin-config/testing';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const CANARY = 'canary-4711';
const HOST: ConfigField = { key: 'host', type: 'string' };
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const PLAIN: ConfigField = { key: 'token', type: 'string', site: true };

const register = ({ ports }: Service, id: number, ...configSchema: readonly ConfigField[]) =>
  registerPlugin(ports, aPlugin({ id, configSchema }), anAuthor());

/** Creates a record, stores two secrets in turn, and returns its path. */
async function configured(call: Call, plugin: number): Promise<string> {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin } });
  const path = `/plugin_configs/${record.id}`;
  for (const token of [`${CANARY}-1`, `${CANARY}-2`]) {
    const put = await call('PUT', `${path}/config`, { body: { host: token.slice(-1), token } });
    expect(put.status).toBe(200);
  }
  return path;
}

const EVENTS: Readonly<Record<string, (service: Service, call: Call, path: string) => Promise<unknown>>> = {
  'its plugin is registered without the secret': (service) => register(service, 81, HOST, PLAIN),
  'its plugin is removed': ({ ports }) => ports.plugins.remove(81, anAuthor()),
  'its plugin is removed and another one with that id is registered': async (service) => {
    await service.ports.plugins.remove(81, anAuthor());
    await register(service, 81, HOST, PLAIN);
  },
  'it is attached to another plugin': async (service, call, path) => {
    await register(service, 82, HOST, PLAIN);
    expect((await call('PATCH', path, { body: { plugin: 82 } })).status).toBe(200);
  },
  'it is attached to another plugin and back, after both schemas dropped the secret': async (
    service,
    call,
    path,
  ) => {
    await register(service, 82, HOST, PLAIN);
    await call('PATCH', path, { body: { plugin: 82 } });
    await register(service, 81, HOST, PLAIN);
    await call('PATCH', path, { body: { plugin: 81 } });
  },
  'an earlier revision is restored': async (service, call, path) => {
    await register(service, 81, HOST, PLAIN);
    const { status, body } = await call<WireRestoredRecord>('POST', `${path}/revisions/2/restore`);
    expect([status, body.config]).toEqual([200, '{"host":"1","token":"********"}']);
  },
};

for (const [event, cause] of Object.entries(EVENTS)) {
  test(`a secret stays masked everywhere when ${event}`, async ({ call, service, project }) => {
    await register(service, 81, HOST, TOKEN);
    const path = await configured(call, 81);
    await cause(service, call, path);
    const paths = ['', '/activity', '/frontend', '/revisions', '/revisions/2', '/revisions/3'];
    const reads = [...paths.map((end) => path + end), '/plugin_configs', '/plugin_configs/activity'];
    const shown = await Promise.all(reads.map(async (read) => (await call('GET', read)).text));
    const ownership = { manager: 'team', records: [{ family: 'plugin_configs', id: idOf(path), key: 'a' }] };
    shown.push((await call('POST', '/configuration/adopt', { body: ownership })).text);
    const exported = await call<Wire<'document'>>('GET', '/configuration?manager=team');
    shown.push(exported.text, (await planned(call, exported.body)).text);
    const dryRun = await call('PUT', `${path}/config?dry_run=true`, { body: { host: 'x' } });
    shown.push(dryRun.text);
    expect(shown.filter((text) => text.includes(CANARY))).toEqual([]);
    expect(service.log.filter((line) => line.includes(CANARY))).toEqual([]);
    expect((await call('GET', path)).body.config).toContain('"token":"********"');
    const ref = { projectId: project.id, family: 'plugin_configs', id: idOf(path) } as const;
    const values = await service.ports.configurationValues.of(ref);
    expect(JSON.parse(values?.values ?? '').token).toBe(`${CANARY}-2`);
  });
}

function planned(
  call: Call,
  { warnings: _warnings, ...document }: Wire<'document'> & { readonly warnings?: unknown },
) {
  return call<Wire<'plan'>>('POST', '/configuration/plan', { body: { document } });
}

function idOf(path: string): number {
  return Number(path.split('/').at(-1));
}
