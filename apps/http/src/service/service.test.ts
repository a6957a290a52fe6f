import { ingest } from '@plugin-config/domain';
import { postgresIngestionStores } from '@plugin-config/persistence';
import { anErrorReport, aFamily, aRecord, evaluateAt } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { test as base } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const test = base.extend<{ readonly unbound: Call }>({
  unbound: async ({ service }, use) => {
    const { token } = await service.issueKey();
    await use(caller({ base: `${service.url}/api`, token }));
  },
});

test('errors of all projects are paged by a cursor, and limited to a plugin', async ({
  unbound,
  service,
  database,
}) => {
  const stores = postgresIngestionStores(database);
  const at = Date.now() - 60_000;
  const [first, second] = [await aFamily(service.ports), await aFamily(service.ports)];
  const records = [
    await aRecord(service.ports, first, { plugin: 8, name: 'Shop' }),
    await aRecord(service.ports, second, { plugin: 8 }),
    await aRecord(service.ports, second, { plugin: 9 }),
  ];
  const report = (n: number, ms: number) => {
    const record = records[n] ?? records[0];
    return record === undefined ? [] : [anErrorReport(record, `error ${n}`, { timestamp: at + ms })];
  };
  await ingest({ stores }, [...report(0, 1), ...report(1, 2), ...report(2, 3)]);
  const { body: page } = await unbound<Wire<'projectErrorPage'>>('GET', '/errors?plugin=8&limit=1');
  expect(page).toMatchObject({
    count: 2,
    previous: null,
    results: [
      { error: 'error 1', project: { id: second.projectId }, plugin: { id: 8, slug: null, name: null } },
    ],
  });
  await ingest({ stores }, report(1, 4));
  const { search } = new URL(page.next ?? '');
  const { body: next } = await unbound<Wire<'projectErrorPage'>>('GET', `/errors${search}`);
  expect(next).toMatchObject({
    next: null,
    results: [{ error: 'error 0', record: { id: records[0]?.id, name: 'Shop' }, family: 'plugin_configs' }],
  });
  for (const query of ['after=1', 'after=x', 'plugin=0', 'plugin=geoip', 'limit=0']) {
    const { status, body } = await unbound('GET', `/errors?${query}`);
    expect([query, status, body]).toMatchObject([query, 400, { attr: query.split('=')[0] }]);
  }
});

test('incidents and runtimes of all projects name their project', async ({ unbound, service, database }) => {
  const family = await aFamily(service.ports);
  const record = await aRecord(service.ports, family, { plugin: 8, enabled: true });
  await ingest({ stores: postgresIngestionStores(database) }, [
    anErrorReport(record, 'timed out', { timestamp: Date.now() }),
  ]);
  const rule = { name: 'Errors', family: 'plugin_configs', plugin: 8, signal: 'error', window_minutes: 60 };
  const created = await unbound<Wire<'alert'>>('POST', '/alerts', { body: rule });
  const address = `${service.url}/api/alerts/${created.body.id}`;
  expect([created.status, created.headers.get('location')]).toEqual([201, address]);
  await evaluateAt(service.ports, new Date());
  const { projectId } = family;
  const path = `/projects/${projectId}/plugin_configs/runtimes/host`;
  await unbound('PUT', path, { body: { version: '1', status: 'applied' } });
  const project = { id: projectId, external_id: null, name: 'Project' };
  const { body: incidents } = await unbound<Wire<'projectIncidentPage'>>(
    'GET',
    '/incidents?plugin=8&open=true',
  );
  expect(incidents).toMatchObject({ count: 1, results: [{ project, record: { id: record.id } }] });
  const { body: ofAlert } = await unbound('GET', `/incidents?alert=${created.body.id}`);
  expect(ofAlert).toMatchObject({ count: 1 });
  const withRecord = await unbound('POST', '/alerts', { body: { ...rule, name: 'One', record: record.id } });
  expect(withRecord).toMatchObject({ status: 400, body: { attr: 'plugin' } });
  const body = { ...rule, name: 'One', plugin: null, record: record.id };
  expect(await unbound('POST', '/alerts', { body })).toMatchObject({ status: 400, body: { attr: 'record' } });
  const { body: runtimes } = await unbound<Wire<'projectRuntimePage'>>('GET', '/runtimes?plugin=8');
  const host = { instance: 'host', online: true, project, family: 'plugin_configs' };
  expect(runtimes).toMatchObject({ count: 1, results: [host] });
});

test('a webhook for all projects has its own address, and gets what happens in each', async ({
  unbound,
  service,
}) => {
  const url = 'https://hooks.example.com/all';
  const body = { url, events: ['record.created'], plugin: 8 };
  const created = await unbound<Wire<'webhookWithSecret'>>('POST', '/webhooks', { body });
  expect([created.status, created.headers.get('location')]).toEqual([
    201,
    `${service.url}/api/webhooks/${created.body.id}`,
  ]);
  await aRecord(service.ports, await aFamily(service.ports), { plugin: 8 });
  await aRecord(service.ports, await aFamily(service.ports), { plugin: 9 });
  const { body: deliveries } = await unbound('GET', `/webhooks/${created.body.id}/deliveries`);
  expect(deliveries).toMatchObject({ count: 1, results: [{ type: 'record.created' }] });
  const etag = created.headers.get('etag') ?? '';
  const changed = await unbound('PATCH', `/webhooks/${created.body.id}`, {
    body: { plugin: null },
    headers: { 'if-match': etag },
  });
  expect(changed).toMatchObject({ status: 200, body: { plugin: null } });
  const stale = await unbound('DELETE', `/webhooks/${created.body.id}`, { headers: { 'if-match': etag } });
  expect(stale.status).toBe(412);
});
