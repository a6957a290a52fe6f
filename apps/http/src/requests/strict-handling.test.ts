import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';

const STRICT = { prefer: 'handling=strict' };

test('with Prefer: handling=strict, nothing in a request is ignored in silence', async ({ call }) => {
  const lenient = await call('POST', '/plugin_configs?limt=1', { body: { plugin: 7, nmae: 'Shop' } });
  expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([201, null]);
  const path = `/plugin_configs/${lenient.body.id}`;
  await call('GET', '/plugin_configs?limt=1');
  const strict = [
    await call('POST', '/plugin_configs', { body: { plugin: 7, nmae: 'Shop' }, headers: STRICT }),
    await call('GET', '/plugin_configs?limt=1', { headers: STRICT }),
    await call('GET', `${path}?limit=1`, { headers: STRICT }),
    await call('DELETE', `${path}?reason=unused`, { headers: STRICT }),
  ];
  for (const { status, body, headers } of strict)
    expect([status, body, headers.get('preference-applied')]).toMatchObject([
      400,
      { code: 'invalid_input', attr: expect.stringMatching(/^(nmae|limt|limit|reason)$/) },
      'handling=strict',
    ]);
  const { body } = await call('GET', path);
  const back = await call('PATCH', path, { body: { ...body, name: 'Shop' }, headers: STRICT });
  expect([back.status, back.body.name, back.headers.get('preference-applied')]).toEqual([
    200,
    'Shop',
    'handling=strict',
  ]);
});

test('an Idempotency-Key is rejected where it has no effect', async ({ call }) => {
  const headers = { 'idempotency-key': 'one' };
  const { body } = await call('POST', '/plugin_configs', { body: { plugin: 7 }, headers });
  const path = `/plugin_configs/${body.id}`;
  for (const [method, to] of [
    ['GET', path],
    ['PATCH', path],
    ['DELETE', path],
    ['POST', '/alerts/preview'],
  ] as const)
    expect(await call(method, to, { headers })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', attr: 'Idempotency-Key' },
    });
  expect((await call('GET', path)).status).toBe(200);
});
