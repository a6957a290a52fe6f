import type { WireConfigRecordPage } from '@plugin-config/contract';
import { expect } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../../tools/property-runs.ts';
import { caller } from '../testing/caller.ts';
import { openServiceOn, test } from '../testing/service.fixture.ts';

const WRITES = propertyRuns(100);
const READERS = 6;
const USUAL_MS = 60_000;

test(
  'no process ever gives a stale answer',
  { timeout: propertyTimeout(USUAL_MS) },
  async ({ service, project }) => {
    const other = await openServiceOn(service.databaseUrl);
    const { key, token } = await service.issueKey();
    const calls = [service, other].map(({ url }) =>
      caller({ base: `${url}/api/projects/${project.id}`, token }),
    );
    const call = (turn: number) => calls[turn % calls.length] ?? expect.fail();
    try {
      const { id } = (await call(0)('POST', '/plugin_configs', { body: { plugin: 1, order: 0 } })).body;
      const done = new AbortController();
      let acknowledged = 0;
      const read = async (reader: number): Promise<void> => {
        for (let turn = reader; !done.signal.aborted; turn++) {
          const least = acknowledged;
          const one = await call(turn)('GET', `/plugin_configs/${id}`);
          expect(one.body.order).toBeGreaterThanOrEqual(least);
          const { body } = await call(turn + 1)<WireConfigRecordPage>('GET', '/plugin_configs');
          expect(body.results[0]?.order).toBeGreaterThanOrEqual(one.body.order);
        }
      };
      const write = async (): Promise<void> => {
        for (let order = 1; order <= WRITES; order++) {
          await call(order)('PATCH', `/plugin_configs/${id}`, { body: { order } });
          acknowledged = order;
        }
      };
      await Promise.all([
        write().finally(() => done.abort()),
        ...Array.from({ length: READERS }, (_, reader) => read(reader)),
      ]);
      await service.ports.keys.revoke(key.id, new Date());
      for (const each of calls) expect((await each('GET', '/plugin_configs')).status).toBe(401);
    } finally {
      await other.close();
    }
  },
);

test('changes by operators and plugins are visible at once, and keep the version', async ({
  call,
  service,
}) => {
  const { body: record, headers } = await call('POST', '/plugin_configs', { body: { plugin: 4711 } });
  const path = `/plugin_configs/${record.id}`;
  const [one, list] = [await call('GET', path), await call<WireConfigRecordPage>('GET', '/plugin_configs')];
  const plugin = { id: 4711, name: 'Registered later' };
  await service.ports.plugins.register(plugin, { config: '{}', secrets: new Map() });
  const after = await call('GET', path);
  expect(JSON.parse(after.body.plugin_info ?? '')).toMatchObject(plugin);
  expect(after.headers.get('etag')).not.toBe(one.headers.get('etag'));
  expect(after.body.updated_at).toBe(one.body.updated_at);
  const listed = await call<WireConfigRecordPage>('GET', '/plugin_configs');
  expect(listed.body.results).toEqual([after.body]);
  expect(listed.headers.get('etag')).not.toBe(list.headers.get('etag'));
  const held = { 'if-match': headers.get('etag') ?? '' };
  expect((await call('PATCH', path, { body: { name: 'still' }, headers: held })).status).toBe(200);
  await service.ports.plugins.remove(4711);
  expect((await call('GET', path)).body.plugin_info).toBeNull();
});
