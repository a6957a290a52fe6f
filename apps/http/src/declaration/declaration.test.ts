import type { WireConfigRecordPage, WireConfigRecord, WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const SCHEMA = [
  { key: 'city', type: 'string', default: 'a' },
  { key: 'token', type: 'string', secret: true },
] as const;
const CANARY = 'canary-7f3a';

const documentOf = (...records: NonNullable<Wire<'document'>['plugin_configs']>) =>
  ({ format: 1, manager: 'team', plugin_configs: records }) satisfies Wire<'document'>;

const GEOIP = { key: 'geoip', plugin: 3, enabled: true, config: { city: 'b', token: { $secret: 'TOKEN' } } };
const SECRETS = { TOKEN: CANARY };

const plan = (call: Call, body: object) => call<Wire<'plan'>>('POST', '/configuration/plan', { body });

async function apply(
  call: Call,
  body: object,
  more: { headers?: Record<string, string>; max_deletes?: number } = {},
) {
  const { headers = {}, ...fields } = more;
  const { base } = (await plan(call, body)).body;
  const request = { body: { ...body, base, ...fields }, headers };
  return call<Wire<'applied'> & WireErrorBody>('POST', '/configuration/apply', request);
}

interface Registering {
  readonly service: {
    readonly url: string;
    issueKey: (order: object) => Promise<{ readonly token: string }>;
  };
}

async function register({ service }: Registering, id: number, schema: readonly object[]) {
  const { token } = await service.issueKey({});
  const body = JSON.stringify({ name: `Plugin ${id}`, config_schema: schema });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  expect((await fetch(`${service.url}/api/plugins/${id}`, { method: 'PUT', body, headers })).status).toBe(
    200,
  );
}

const registerGeoip = (on: Registering) => register(on, 3, SCHEMA);

test('a document is planned, applied and exported; then its plan is empty', async ({ call, service }) => {
  await registerGeoip({ service });
  const body = { document: documentOf(GEOIP), secrets: SECRETS };
  const planned = await plan(call, body);
  expect(planned.status).toBe(200);
  expect(planned.body).toMatchObject({
    summary: { create: 1, update: 0, delete: 0, restore: 0, move: 0 },
    changes: [
      {
        action: 'create',
        family: 'plugin_configs',
        key: 'geoip',
        id: null,
        fields: [
          { field: 'plugin', before: null, after: 3 },
          { field: 'enabled', before: null, after: true },
          { field: 'order', before: null, after: 1 },
          { field: 'config.city', before: 'a', after: 'b' },
          { field: 'config.token', secret: 'set' },
        ],
      },
    ],
    conflicts: [],
    warnings: [],
  });
  const applied = await apply(call, body);
  expect(applied.status).toBe(200);
  expect((await plan(call, body)).body).toMatchObject({ base: applied.body.base, changes: [] });
  const exported = await call<Wire<'document'>>('GET', '/configuration?manager=team');
  expect(exported.body).toEqual({
    ...documentOf({ ...GEOIP, config: { city: 'b', token: { $secret: 'GEOIP_TOKEN' } } }),
    pipeline_transformation_configs: [],
  });
  const again = { headers: { 'if-none-match': exported.headers.get('etag') ?? '' } };
  expect((await call('GET', '/configuration?manager=team', again)).status).toBe(304);
  const { id } = applied.body.changes[0] ?? {};
  const { body: history } = await call<Wire<'activityView'>>('GET', `/plugin_configs/${id}/activity`);
  expect(history.results.map(({ apply_id: applyId }) => applyId)).toEqual([applied.body.apply_id]);
});

test('no response contains a secret', async ({ call, service }) => {
  await registerGeoip({ service });
  const body = { document: documentOf(GEOIP), secrets: SECRETS };
  const changed = { document: documentOf(GEOIP), secrets: { TOKEN: `${CANARY}-2` } };
  const literal = { document: documentOf({ ...GEOIP, config: { token: CANARY } }) };
  const texts = [
    (await plan(call, body)).text,
    (await apply(call, body)).text,
    (await plan(call, changed)).text,
    (await apply(call, changed)).text,
    (await plan(call, literal)).text,
    (await apply(call, { ...body, secrets: { TOKEN: 1 } })).text,
  ];
  const reads = ['/configuration?manager=team', '/configuration/drift?manager=team', '/plugin_configs'];
  for (const path of reads) texts.push((await call('GET', path)).text);
  for (const text of texts) expect(text).not.toContain('canary');
});

test('an import holds secrets as they are, needs no plan, and deletes nothing that it does not name', async ({
  call,
  service,
}) => {
  await registerGeoip({ service });
  const documentWith = (...records: NonNullable<Wire<'document'>['plugin_configs']>) => ({
    document: { ...documentOf(...records), manager: 'import' },
  });
  const send = async (body: object) => {
    const applied = await call<Wire<'applied'> & WireErrorBody>('POST', '/configuration/apply', { body });
    expect(applied.text).not.toContain(CANARY);
    return applied;
  };
  const imported = { ...GEOIP, config: { city: 'b', token: CANARY } };
  const other = { key: 'other', plugin: 3, config: { token: '' } };
  const first = await send(documentWith(imported, other));
  expect(first.body.summary).toMatchObject({ create: 2 });
  const { body: page } = await call<WireConfigRecordPage>('GET', '/plugin_configs');
  expect(page.results.map(({ config }) => config)).toEqual([
    '{"city":"b","token":"********"}',
    '{"city":"a"}',
  ]);
  expect(
    (await call<Wire<'runtimeConfiguration'>>('GET', '/plugin_configs/runtime')).body.results,
  ).toMatchObject([{ config: { city: 'b', token: CANARY } }]);

  expect((await send(documentWith(imported))).body.changes).toEqual([]);
  expect((await send(documentWith(imported, other))).body.changes).toEqual([]);
  const changed = await send(documentWith({ ...imported, config: { token: `${CANARY}-2` } }));
  expect(changed.body.changes).toMatchObject([{ fields: [{ field: 'config.token', secret: 'changed' }] }]);
  const cleared = await send(documentWith({ ...imported, config: { token: '' } }));
  expect(cleared.body.changes).toMatchObject([{ fields: [{ field: 'config.token', secret: 'cleared' }] }]);
  expect((await call<WireConfigRecordPage>('GET', '/plugin_configs')).body.count).toBe(2);

  const masked = await send(documentWith({ ...imported, config: { token: '********' } }));
  expect([masked.status, masked.body.attr]).toEqual([400, 'plugin_configs[0].config.token']);
});

test('only an import may hold secrets, only when it is applied, and any other apply needs a plan', async ({
  call,
  service,
}) => {
  await registerGeoip({ service });
  const literal = documentOf({ ...GEOIP, config: { token: CANARY } });
  const rejected = await plan(call, { document: { ...literal, manager: 'import' } });
  expect([rejected.status, rejected.text]).toEqual([400, expect.stringContaining('This entry is a secret')]);
  expect(rejected.text).not.toContain(CANARY);
  const { base } = (await plan(call, { document: documentOf({ key: 'geoip', plugin: 3 }) })).body;
  for (const [body, attr] of [
    [{ document: literal, base }, 'plugin_configs[0].config.token'],
    [{ document: documentOf() }, 'base'],
  ] as const) {
    const { status, body: error } = await call<WireErrorBody>('POST', '/configuration/apply', { body });
    expect([status, error.attr]).toEqual([400, attr]);
  }
});

test('only a key with write access can compare secrets', async ({ call, service, project }) => {
  const { token } = await service.issueKey({ scopes: ['plugin:read'], projectIds: [project.id] });
  const document = documentOf({ key: 'a', plugin: 1 });
  const reader = (body: object) => call<WireErrorBody>('POST', '/configuration/plan', { body, token });
  expect((await reader({ document })).status).toBe(200);
  const rejected = await reader({ document, secrets: SECRETS });
  expect([rejected.status, rejected.body.code]).toEqual([403, 'permission_denied']);
  expect((await call('POST', '/configuration/apply', { body: { document, base: '' }, token })).status).toBe(
    403,
  );
});

test('a plan is stale once a record has changed; the error says which, by whom and when', async ({
  call,
}) => {
  const document = documentOf({ key: 'a', plugin: 1 });
  const applied = await apply(call, { document });
  const id = applied.body.changes[0]?.id;
  const next = { document: documentOf({ key: 'a', plugin: 1, name: 'A' }) };
  const { base } = (await plan(call, next)).body;
  await call('PATCH', `/plugin_configs/${id}`, { body: { description: 'By hand' } });
  const stale = await call<WireErrorBody>('POST', '/configuration/apply', {
    body: { ...next, base },
  });
  expect(stale.status).toBe(412);
  expect(stale.body).toMatchObject({ code: 'precondition_failed', attr: null });
  expect(stale.body.changed).toMatchObject([
    {
      family: 'plugin_configs',
      id,
      key: 'a',
      fields: ['description'],
      actor: { key_id: expect.any(Number) },
    },
  ]);
  const drift = await call<Wire<'drift'>>('GET', '/configuration/drift?manager=team');
  expect(drift.body.results).toEqual(stale.body.changed);
  const { body: record } = await call('GET', `/plugin_configs/${id}`);
  expect(record).toMatchObject({ name: null, description: 'By hand' });
});

test('adopting records only changes their owner', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1, name: 'By hand' } });
  const named = { family: 'plugin_configs', id: record.id, key: 'a' };
  const adopt = (manager: string) =>
    call<Wire<'ownedRecords'> & WireErrorBody>('POST', '/configuration/adopt', {
      body: { manager, records: [named] },
    });
  expect((await adopt('team')).body.results).toEqual([{ ...named, manager: 'team' }]);
  const read = await call('GET', `/plugin_configs/${record.id}`);
  const headersOfOwner = (of: Headers) => [of.get('x-managed-by'), of.get('x-managed-key')];
  expect(headersOfOwner(read.headers)).toEqual(['team', 'a']);
  const rejected = await adopt('other');
  expect([rejected.status, rejected.body.code]).toEqual([409, 'managed_by_another']);
  expect(rejected.body.conflicts).toEqual([{ ...named, manager: 'team' }]);
  expect((await plan(call, { document: documentOf({ key: 'a', plugin: 1 }) })).body.changes).toEqual([]);
  const owned = await call<Wire<'ownedRecordPage'>>('GET', '/configuration/records?manager=team');
  expect(owned.body).toMatchObject({ count: 1, results: [{ ...named, manager: 'team' }] });
  expect(read.body).toEqual(record);
});

test('a record of another project cannot be adopted', async ({ call, service }) => {
  const { token } = await service.issueKey({});
  const other = await service.ports.projects.create(
    { name: 'Other' },
    {
      actor: { keyId: null, label: 'test' },
      requestId: null,
      at: new Date(),
    },
  );
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `${service.url}/api/projects/${other.id}/plugin_configs`;
  const created = await fetch(url, { method: 'POST', headers, body: '{"plugin":1}' });
  const { id } = (await created.json()) as WireConfigRecord;
  const records = [{ family: 'plugin_configs', id, key: 'a' }];
  const rejected = await call<WireErrorBody>('POST', '/configuration/adopt', {
    body: { manager: 'team', records },
  });
  expect([rejected.status, rejected.body.code, rejected.body.attr]).toEqual([
    400,
    'does_not_exist',
    'records[0].id',
  ]);
});

test('a repeated key is rejected', async ({ call }) => {
  const body =
    '{"document": {"format": 1, "manager": "team",\n  "plugin_configs": [], "plugin_configs": []}}';
  const rejected = await call<WireErrorBody>('POST', '/configuration/plan', { body });
  expect([rejected.status, rejected.body.code]).toEqual([400, 'parse_error']);
  expect(rejected.body.detail).toContain('an object has the same key more than once');
});

test('a large document is planned, applied and exported on another thread, like a small one', async ({
  call,
}) => {
  const records = Array.from({ length: 500 }, (_, n) => ({
    key: `key-${String(n).padStart(3, '0')}`,
    plugin: 4,
    config: { city: 'x'.repeat(200), n },
  }));
  const document = documentOf(...records);
  const created = await apply(call, { document });
  expect(created.body).toMatchObject({ summary: { create: 500, update: 0 } });
  const planned = await plan(call, { document });
  expect([planned.status, planned.body.changes]).toEqual([200, []]);
  const changed = documentOf(
    { ...records[0], key: 'key-000', plugin: 4, name: 'First' },
    ...records.slice(1),
  );
  expect((await apply(call, { document: changed })).body.summary).toMatchObject({ create: 0, update: 1 });
  expect((await call<Wire<'document'>>('GET', '/configuration?manager=team')).body).toMatchObject(changed);
});

test('an inexact number or another error in a large document names its field', async ({ call }) => {
  const text = 'x'.repeat(70_000);
  const send = (config: string) =>
    call<WireErrorBody>('POST', '/configuration/plan', {
      body: `{"document":{"format":1,"manager":"team","plugin_configs":[{"key":"a","plugin":4,"config":{"text":"${text}",${config}}}]}}`,
    });
  const inexact = await send('"n":[9007199254740993]');
  expect([inexact.status, inexact.body.code, inexact.body.attr]).toEqual([
    400,
    'invalid_input',
    'plugin_configs[0].config.n',
  ]);
  const misplaced = await send('"n":{"$secret":1}');
  expect([misplaced.status, misplaced.body.code, misplaced.body.attr]).toEqual([
    400,
    'invalid_input',
    'plugin_configs[0].config.n',
  ]);
});

test('documents are JSON: YAML is rejected, and an export is JSON regardless of Accept', async ({ call }) => {
  const document = documentOf({ key: 'a', plugin: 1 });
  await apply(call, { document });
  const sent = { body: 'format: 1\nmanager: team\n', headers: { 'content-type': 'application/yaml' } };
  for (const action of ['plan', 'apply']) {
    const { status, body } = await call<WireErrorBody>('POST', `/configuration/${action}`, sent);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect(body.detail).toContain('application/json');
  }
  const exported = await call<Wire<'document'>>('GET', '/configuration?manager=team', {
    headers: { accept: 'application/yaml' },
  });
  expect(exported.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(exported.body).toMatchObject(document);
});
