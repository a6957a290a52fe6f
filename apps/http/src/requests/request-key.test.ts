import { hash } from 'node:crypto';
import { anAuthor } from '@plugin-config/testing';
import type { WireConfigRecordPage, WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller, type ReceivedResponse } from '../testing/caller.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { test } from '../testing/service.fixture.ts';

const withKey = (name: string) => ({ 'idempotency-key': name });

function withoutRequestId({ status, text, headers }: ReceivedResponse<unknown>): unknown {
  return [status, text, headers.get('location'), headers.get('etag'), headers.get('content-type')];
}

test('a creation takes effect once, and a repeat returns the first response', async ({ call }) => {
  const request = { body: { plugin: 7, name: 'Größe 🚀' }, headers: withKey('create "one"') };
  const first = await call('POST', '/plugin_configs', request);
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
  await call('PATCH', `/plugin_configs/${first.body.id}`, { body: { enabled: true } });
  const again = await call('POST', '/plugin_configs/', request);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(withoutRequestId(again)).toEqual(withoutRequestId(first));
  const list = await call<WireConfigRecordPage>('GET', '/plugin_configs');
  expect([list.body.count, list.body.results[0]?.enabled]).toEqual([1, true]);
});

test('the stored digest of a body does not reveal which body it was', async ({ call, database }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const body = { name: 'pin 4711' };
  for (const name of ['digest one', 'digest two'])
    await call('POST', `/plugin_configs/${record.id}/job`, { body, headers: withKey(name) });
  const { rows } = await database.pool.query<{ digest: string }>(
    `select digest from kept_response where (response -> 'record' ->> 'id')::bigint = $1`,
    [record.id],
  );
  const digests = rows.map(({ digest }) => digest);
  expect(new Set([...digests, hash('sha256', JSON.stringify(body), 'base64url')]).size).toBe(3);
});

test('the same key with different bytes is rejected and changes nothing', async ({ call }) => {
  const post = (body: unknown) =>
    call<WireErrorBody>('POST', '/plugin_configs', { body, headers: withKey('mismatch') });
  expect((await post('{"plugin":7}')).status).toBe(201);
  for (const body of ['{"plugin":8}', '{"plugin": 7}']) {
    const { status, body: rejected } = await post(body);
    expect([status, rejected]).toMatchObject([
      422,
      { type: 'validation_error', code: 'idempotency_mismatch', attr: 'Idempotency-Key' },
    ]);
  }
  expect((await call<WireConfigRecordPage>('GET', '/plugin_configs')).body.count).toBe(1);
});

test('keys are scoped to the API key, project, family, record and path', async ({
  call,
  service,
  project,
}) => {
  const body = { plugin: 7 };
  const headers = withKey('everywhere');
  const { token } = await service.issueKey();
  const elsewhere = await service.ports.projects.create({ name: 'Elsewhere' }, anAuthor({ at: new Date() }));
  const { body: record } = await call('POST', '/plugin_configs', { body, headers });
  const { body: sister } = await call('POST', '/plugin_configs', { body });
  const responses = [
    await call('POST', '/plugin_configs', { body, headers, token }),
    await call('POST', '/pipeline_transformation_configs', { body, headers }),
    await caller({ base: `${service.url}/api/projects/${elsewhere.id}`, token })('POST', '/plugin_configs', {
      body,
      headers,
    }),
    await call('POST', `/plugin_configs/${record.id}/job`, { body, headers }),
    await call('POST', `/plugin_configs/${sister.id}/job`, { body, headers }),
  ];
  for (const response of responses) {
    expect(response.status).toBeLessThan(300);
    expect(response.headers.get('idempotent-replayed')).toBeNull();
  }
  const same = caller({ base: `${service.url}/api/projects/${project.id}`, token });
  expect((await same('POST', '/plugin_configs', { body, headers })).headers.get('idempotent-replayed')).toBe(
    'true',
  );
});

test.for(['x'.repeat(256), '', 'größe', 'tab\tbed'])(
  '%j is not a valid key',
  async (name, { call, service, project }) => {
    const { token } = await service.issueKey();
    const head = [
      `POST /api/projects/${project.id}/plugin_configs HTTP/1.1`,
      'Host: a.example',
      `Authorization: Bearer ${token}`,
      `Idempotency-Key: ${name}`,
      'Content-Type: application/json',
      'Content-Length: 12',
      'Connection: close',
    ];
    const response = await rawRequest(service.url, head, '{"plugin":7}');
    expect([response.status, response.body]).toEqual([
      400,
      expect.stringContaining('"attr":"Idempotency-Key"'),
    ]);
    expect((await call<WireConfigRecordPage>('GET', '/plugin_configs')).body.count).toBe(0);
  },
);
