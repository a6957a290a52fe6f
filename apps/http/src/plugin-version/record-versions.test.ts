import type { WireConfigRecordPage, WireErrorBody } from '@plugin-config/contract';
import { anAuthor } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const ALL = '/plugin_configs';
const FIRST = {
  schema_version: 1,
  config_schema: [{ key: 'server', type: 'string' }],
  jobs: [{ type: 'replay' }],
  checks: true,
};
const SECOND = {
  schema_version: 2,
  config_schema: [{ key: 'host', type: 'string' }],
  migrations: [
    {
      from: 1,
      steps: [
        { map: { key: 'server', values: { a: 'a.example' } } },
        { rename: { from: 'server', to: 'host' } },
      ],
    },
  ],
};

/** Registers two versions, the second of which becomes current after a record was created. */
async function anOldRecord(service: Service, call: Call, server: string): Promise<string> {
  const { token } = await service.issueKey();
  const { id } = await service.ports.plugins.register(
    { id: `slug:mailer-${crypto.randomUUID().slice(0, 8)}`, name: 'Mailer' },
    new Map(),
    anAuthor({ at: new Date() }),
  );
  const registry = caller({ base: `${service.url}/api/plugins/${id}`, token });
  expect((await registry('PUT', '/versions/1.0.0', { body: FIRST })).status).toBe(200);
  const { body } = await call('POST', ALL, { body: { plugin: id, enabled: true, config: { server } } });
  expect((await registry('PUT', '/versions/2.0.0', { body: SECOND })).status).toBe(200);
  expect((await registry('PATCH', '/versions/2.0.0', { body: { state: 'current' } })).status).toBe(200);
  return `${ALL}/${body.id}`;
}

const versionsIn = ({ headers }: { readonly headers: Headers }) => [
  headers.get('x-schema-version'),
  headers.get('x-plugin-version'),
];

test('a record says which version it follows, is upgraded, and goes back by its revision', async ({
  service,
  call,
}) => {
  const path = await anOldRecord(service, call, 'a');
  expect(versionsIn(await call('GET', path))).toEqual(['1', null]);
  const dry = await call('POST', `${path}/upgrade?dry_run=true`, { body: {} });
  expect([dry.status, dry.body.config]).toEqual([200, '{"host":"a.example"}']);
  const upgraded = await call('POST', `${path}/upgrade`);
  expect([upgraded.status, upgraded.body.config]).toEqual([200, '{"host":"a.example"}']);
  expect(versionsIn(await call('GET', path))).toEqual(['2', null]);
  const { body: revisions } = await call<Wire<'revisionPage'>>('GET', `${path}/revisions`);
  expect(revisions.results.map((each) => [each.schema_version, each.plugin_version])).toEqual([
    [2, null],
    [1, null],
  ]);
  expect((await call('POST', `${path}/revisions/1/restore`)).status).toBe(200);
  expect(versionsIn(await call('GET', path))).toEqual(['1', '1.0.0']);
  const pinned = await call('PUT', `${path}/plugin_version`, { body: { version: null } });
  expect(pinned.status).toBe(200);
  expect(versionsIn(await call('GET', path))).toEqual(['1', null]);
});

test('a list of outdated records, although cached, is that of the current states of versions', async ({
  service,
  call,
}) => {
  const path = await anOldRecord(service, call, 'a');
  const { body: record } = await call('GET', path);
  const { token } = await service.issueKey();
  const version = caller({ base: `${service.url}/api/plugins/${record.plugin}/versions`, token });
  const outdated = async () => {
    const { body } = await call<WireConfigRecordPage>('GET', `${ALL}?outdated=true`);
    const { body: others } = await call<WireConfigRecordPage>('GET', `${ALL}?outdated=false`);
    const { body: overview } = await call<Wire<'overview'>>('GET', '/overview');
    expect([body.count + others.count, overview.families[0]?.outdated]).toEqual([1, body.count]);
    return body.count;
  };
  const isIn = async (wanted: string, state: string) => {
    await version('PATCH', `/${wanted}`, { body: { state } });
    return outdated();
  };
  expect(await outdated()).toBe(1);
  expect(await isIn('1.0.0', 'current')).toBe(0);
  expect(await isIn('2.0.0', 'current')).toBe(1);
  await call('POST', `${path}/upgrade`);
  expect(await outdated()).toBe(0);
  await version('PUT', '/2.1.0', { body: SECOND });
  await version('PATCH', '/2.1.0', { body: { state: 'current' } });
  await call('PUT', `${path}/plugin_version`, { body: { version: '2.0.0' } });
  expect(await outdated()).toBe(0);
  expect(await isIn('2.0.0', 'deprecated')).toBe(1);
  expect(await isIn('2.0.0', 'supported')).toBe(0);
  const all = caller({ base: `${service.url}/api/plugins/${record.plugin}/records`, token });
  expect((await all<Wire<'attachedRecordPage'>>('GET', '?outdated=true')).body.count).toBe(0);
  expect((await all<Wire<'attachedRecordPage'>>('GET', '?outdated=false')).body.count).toBe(1);
});

test('an upgrade that needs a person says what it lacks, without values', async ({ service, call }) => {
  const path = await anOldRecord(service, call, 'hunter2');
  const { status, text, body } = await call<WireErrorBody>('POST', `${path}/upgrade`);
  expect([status, body.attr]).toEqual([400, 'server']);
  expect(text).not.toContain('hunter2');
  expect(versionsIn(await call('GET', path))).toEqual(['1', null]);
});

test('the version of a record decides which jobs it may have, and what is a draft of it', async ({
  service,
  call,
}) => {
  const path = await anOldRecord(service, call, 'a');
  const { body: record } = await call('GET', path);
  const job = (type: string) => call<WireErrorBody>('POST', `${path}/job`, { body: { job: { type } } });
  const check = (config: object, of = {}) =>
    call<WireErrorBody>('POST', `${ALL}/checks`, { body: { plugin: record.plugin, config, ...of } });
  const ofRecord = { record: record.id };
  expect((await job('replay')).status).toBe(200);
  expect((await check({ server: 'b' }, ofRecord)).status).toBe(202);
  expect((await check({ host: 'b' }, ofRecord)).body).toMatchObject({ attr: 'host' });
  expect((await check({ host: 'b' })).body).toMatchObject({ attr: 'plugin' });
  await call('POST', `${path}/upgrade`);
  expect((await job('replay')).body).toMatchObject({ attr: 'job.type' });
  expect((await check({ host: 'b' }, ofRecord)).body).toMatchObject({ attr: 'plugin' });
});
