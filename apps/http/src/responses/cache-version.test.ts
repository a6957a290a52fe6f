import { anAuthor } from '@plugin-config/testing';
import type { WireConfigRecordPage } from '@plugin-config/contract';
import type { Project } from '@plugin-config/domain';
import { expect, onTestFinished, vi } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../../tools/property-runs.ts';
import { caller } from '../testing/caller.ts';
import { openServiceOn, test, type Service } from '../testing/service.fixture.ts';

const WRITES = propertyRuns(30);
const REGISTRATIONS = propertyRuns(10);
const READERS = 6;
const LIMIT_MAX = 1000;
const TEST_TIMEOUT_MS = 180_000;
const NO_SEED = new Map();

test(
  'no process returns stale responses',
  { timeout: propertyTimeout(TEST_TIMEOUT_MS) },
  async ({ service, project }) => {
    const { calls, call, key } = await twoProcesses(service, project);
    const { id } = (await call(0)('POST', '/plugin_configs', { body: { plugin: 1, order: 0 } })).body;
    let acknowledged = 0;
    const read = async (turn: number): Promise<void> => {
      const least = acknowledged;
      const one = await call(turn)('GET', `/plugin_configs/${id}`);
      expect(one.body.order).toBeGreaterThanOrEqual(least);
      const { body } = await call(turn + 1)<WireConfigRecordPage>('GET', '/plugin_configs');
      expect(body.results[0]?.order).toBeGreaterThanOrEqual(one.body.order);
    };
    await readDuring(read, async () => {
      for (let order = 1; order <= WRITES; order++) {
        await call(order)('PATCH', `/plugin_configs/${id}`, { body: { order } });
        acknowledged = order;
      }
    });
    await service.ports.keys.revoke(key.id, null, anAuthor({ at: new Date() }));
    for (const each of calls) expect((await each('GET', '/plugin_configs')).status).toBe(401);
  },
);

test(
  'no response of any process shows an older plugin registration than an earlier response',
  { timeout: propertyTimeout(TEST_TIMEOUT_MS) },
  async ({ service, project }) => {
    const { calls, call, plugins } = await twoProcesses(service, project);
    const { id } = (await call(0)('POST', '/plugin_configs', { body: { plugin: 4712 } })).body;
    let shown = 0;
    const isShown = (): boolean => shown > 0;
    const expectNotOlder = (least: number, info: string | null | undefined): void => {
      const step = typeof info === 'string' ? Number(JSON.parse(info).name) : stepOfRemoval(least);
      expect(step).toBeGreaterThanOrEqual(least);
      shown = Math.max(shown, step);
    };
    /** Reads an uncached list, then the cached record. */
    const read = async (turn: number): Promise<void> => {
      const path = `/plugin_configs?limit=${1 + (turn % LIMIT_MAX)}`;
      let least = shown;
      const list = await call(turn)<WireConfigRecordPage>('GET', path);
      expectNotOlder(least, list.body.results[0]?.plugin_info);
      least = shown;
      expectNotOlder(least, (await call(turn + 1)('GET', `/plugin_configs/${id}`)).body.plugin_info);
    };
    await readDuring(read, async () => {
      for (let step = 1; step < REGISTRATIONS || !isShown(); step += 2) {
        await plugins.register({ id: 4712, name: String(step) }, NO_SEED, anAuthor());
        await plugins.remove(4712, anAuthor());
      }
    });
    for (const each of calls) {
      expect((await each('GET', `/plugin_configs/${id}`)).body.plugin_info).toBeNull();
    }
  },
);

test('both processes show a registration and a removal immediately, even while the family is locked', async ({
  service,
  project,
}) => {
  const { call, plugins } = await twoProcesses(service, project);
  const { id } = (await call(0)('POST', '/plugin_configs', { body: { plugin: 4713 } })).body;
  const pluginInfoFrom = async (process: number) =>
    (await call(process)('GET', `/plugin_configs/${id}`)).body.plugin_info;
  const infosAfter = async (change: () => Promise<unknown>, isRegistered: boolean) => {
    const { changing, infos } = await service.ports.records.lock(
      { projectId: project.id, family: 'plugin_configs' },
      async () => {
        const started = { changing: change() };
        // The lock is held for at most five seconds.
        await vi.waitFor(async () => expect((await plugins.find(4713)) !== null).toBe(isRegistered), 4_000);
        return { ...started, infos: [await pluginInfoFrom(1), await pluginInfoFrom(0)] };
      },
    );
    await changing;
    return infos;
  };
  expect(await pluginInfoFrom(0)).toBeNull();
  const isNew = expect.stringContaining('New');
  expect(
    await infosAfter(() => plugins.register({ id: 4713, name: 'New' }, NO_SEED, anAuthor()), true),
  ).toEqual([isNew, isNew]);
  expect(await infosAfter(() => plugins.remove(4713, anAuthor()), false)).toEqual([null, null]);
});

test('changes by operators and plugins are visible immediately and do not change the version', async ({
  call,
  service,
}) => {
  const { body: record, headers } = await call('POST', '/plugin_configs', { body: { plugin: 4711 } });
  const path = `/plugin_configs/${record.id}`;
  const [one, list] = [await call('GET', path), await call<WireConfigRecordPage>('GET', '/plugin_configs')];
  const plugin = { id: 4711, name: 'Registered later' };
  await service.ports.plugins.register(plugin, new Map(), anAuthor());
  const after = await call('GET', path);
  expect(JSON.parse(after.body.plugin_info ?? '')).toMatchObject(plugin);
  expect(after.headers.get('etag')).not.toBe(one.headers.get('etag'));
  expect(after.body.updated_at).toBe(one.body.updated_at);
  const listed = await call<WireConfigRecordPage>('GET', '/plugin_configs');
  expect(listed.body.results).toEqual([after.body]);
  expect(listed.headers.get('etag')).not.toBe(list.headers.get('etag'));
  const held = { 'if-match': headers.get('etag') ?? '' };
  expect((await call('PATCH', path, { body: { name: 'still' }, headers: held })).status).toBe(200);
  await service.ports.plugins.remove(4711, anAuthor());
  expect((await call('GET', path)).body.plugin_info).toBeNull();
});

/** Opens a second process on the same database, and returns a `call` that alternates between both. */
async function twoProcesses(service: Service, project: Project) {
  const other = await openServiceOn(service.databaseUrl);
  onTestFinished(() => other.close());
  const { key, token } = await service.issueKey();
  const calls = [service, other].map(({ url }) =>
    caller({ base: `${url}/api/projects/${project.id}`, token }),
  );
  const call = (turn: number) => calls[turn % calls.length] ?? expect.fail();
  return { calls, call, key, plugins: other.ports.plugins };
}

/** Runs several readers in parallel until `change` completes. */
async function readDuring(read: (turn: number) => Promise<void>, change: () => Promise<void>): Promise<void> {
  const done = new AbortController();
  const keepReading = async (reader: number): Promise<void> => {
    for (let turn = reader; !done.signal.aborted; turn++) await read(turn);
  };
  await Promise.all([
    change().finally(() => done.abort()),
    ...Array.from({ length: READERS }, (_, reader) => keepReading(reader)),
  ]);
}

/** Returns the step that removes the plugin again. Odd steps register it, and even steps remove it. */
function stepOfRemoval(shown: number): number {
  return shown + (shown % 2);
}
