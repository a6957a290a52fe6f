import type { WireConfigRecord, WireConfigRecordPage, WireErrorBody } from '@plugin-config/contract';
import { FAMILIES } from '@plugin-config/domain';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';

const add = async (call: Call, fields: object, family = 'plugin_configs') =>
  (await call('POST', `/${family}`, { body: fields })).body.id;
const move = (call: Call, body: unknown) =>
  call<WireErrorBody>('PATCH', '/plugin_configs/rearrange', { body });

async function positions(
  call: Call,
  family = 'plugin_configs',
): Promise<readonly (readonly [number, number])[]> {
  const { results } = (await call<WireConfigRecordPage>('GET', `/${family}`)).body;
  return results.map(({ id, order }) => [id, order]);
}

test.for(FAMILIES)('the record at the requested position of %s moves away', async (family, { call }) => {
  const [a, b, c] = [
    await add(call, { plugin: 1 }, family),
    await add(call, { plugin: 2 }, family),
    await add(call, { plugin: 3 }, family),
  ];
  const rearrange = (plugin: number, order: number) =>
    call('PATCH', `/${family}/rearrange`, { body: { plugin, order } });
  const { status, body } = await rearrange(1, 2);
  expect([status, body.id, body.order]).toEqual([200, a, 2]);
  expect(await positions(call, family)).toEqual([
    [b, 1],
    [a, 2],
    [c, 3],
  ]);
  await rearrange(3, 1);
  expect(await positions(call, family)).toEqual([
    [c, 1],
    [b, 2],
    [a, 3],
  ]);
  await rearrange(3, 1);
  await rearrange(2, 50);
  expect(await positions(call, family)).toEqual([
    [c, 1],
    [a, 3],
    [b, 50],
  ]);
});

test('every record with a new order gets an activity entry', async ({ call }) => {
  const [a, b] = [await add(call, { plugin: 1 }), await add(call, { plugin: 2 })];
  await call('PATCH', '/plugin_configs/rearrange', {
    body: { plugin: 1, order: 2 },
    headers: { 'x-request-id': 'mine' },
  });
  for (const [id, before, after] of [
    [a, 1, 2],
    [b, 2, 1],
  ] as const) {
    const { body } = await call<{ results: unknown[] }>('GET', `/plugin_configs/${id}/activity?limit=1`);
    expect(body.results).toMatchObject([
      { activity: 'rearranged', changes: [{ field: 'order', before, after }], request_id: 'mine' },
    ]);
  }
});

test('other fields identify one of several records of a plugin', async ({ call }) => {
  const a = await add(call, { plugin: 1, name: 'a', enabled: true });
  const b = await add(call, { plugin: 1, name: 'b' });
  const c = await add(call, { plugin: 1 });
  const moved = async (fields: object) => {
    const { status, body } = await call('PATCH', '/plugin_configs/rearrange', {
      body: { plugin: 1, order: 9, ...fields },
    });
    return [status, body.id];
  };
  expect(await moved({ name: 'b' })).toEqual([200, b]);
  expect(await moved({ enabled: true })).toEqual([200, a]);
  expect(await moved({ name: null })).toEqual([200, c]);
  expect(await moved({ enabled: false, description: null, name: 'b' })).toEqual([200, b]);
  expect(await moved({ name: 'z' })).toEqual([404, undefined]);
  expect(await moved({ deleted: true })).toEqual([404, undefined]);
  const { status, body } = await move(call, { plugin: 1, order: 1, enabled: false });
  expect([status, body.type, body.code]).toEqual([400, 'validation_error', 'invalid_input']);
  expect(body.detail).toContain(`${b}`);
  expect(body.detail).toContain(`${c}`);
});

test('the only record of a plugin is moved regardless of other fields', async ({ call }) => {
  const id = await add(call, { plugin: 1, name: 'a' });
  const deleted = await add(call, { plugin: 1, deleted: true });
  const { status, body } = await call('PATCH', '/plugin_configs/rearrange', {
    body: { plugin: 1, order: 3, name: 'z' },
  });
  expect([status, body.id]).toEqual([200, id]);
  expect((await move(call, { plugin: 1, order: 3, deleted: true })).status).toBe(404);
  expect((await move(call, { plugin: 2, order: 3 })).status).toBe(404);
  expect((await move(call, { orders: { [deleted]: 1 } })).status).toBe(400);
});

test.for([
  [{}, 'required', 'order'],
  [{ plugin: 1 }, 'required', 'order'],
  [{ order: 1 }, 'required', 'plugin'],
  [{ plugin: 1, order: '1' }, 'invalid_input', 'order'],
  [{ plugin: 1, order: -1 }, 'min_value', 'order'],
  [{ plugin: 1, order: 2147483648 }, 'max_value', 'order'],
  [{ plugin: 1, order: 1, orders: { 1: 1 } }, 'invalid_input', 'orders'],
  [{ orders: [] }, 'invalid_input', 'orders'],
  [{ orders: { 1: 'x' } }, 'invalid_input', 'orders.1'],
  [{ orders: { 1: -5 } }, 'min_value', 'orders.1'],
] as const)('%j is rejected: %s, %s', async ([body, code, attr], { call }) => {
  await add(call, { plugin: 1 });
  const { status, body: error } = await move(call, body);
  expect([status, error.type, error.code, error.attr]).toEqual([400, 'validation_error', code, attr]);
});

test('the older form moves the named records and returns all live records in their order', async ({
  call,
}) => {
  const [a, b, c] = [
    await add(call, { plugin: 1 }),
    await add(call, { plugin: 2 }),
    await add(call, { plugin: 3 }),
  ];
  const orders = { [a]: 3, [c]: 1 };
  const { status, body } = await call<WireConfigRecord[]>('PATCH', '/plugin_configs/rearrange/', {
    body: { orders },
  });
  expect([status, body.map(({ id, order }) => [id, order])]).toEqual([
    200,
    [
      [c, 1],
      [b, 2],
      [a, 3],
    ],
  ]);
  expect((await call<WireConfigRecordPage>('GET', '/plugin_configs')).body.results).toEqual(body);
  const unchanged = await call<WireConfigRecord[]>('PATCH', '/plugin_configs/rearrange/', {
    body: { orders: {} },
  });
  expect(unchanged.body).toEqual(body);
});

test('the older form moves nothing if an id is unknown', async ({ call }) => {
  const a = await add(call, { plugin: 1 });
  const before = await positions(call);
  const { status, body } = await move(call, { orders: { [a]: 5, 999999999: 1 } });
  expect([status, body.type, body.code, body.attr]).toEqual([
    400,
    'validation_error',
    'does_not_exist',
    'orders',
  ]);
  expect(body.detail).toContain('999999999');
  expect(await positions(call)).toEqual(before);
});
