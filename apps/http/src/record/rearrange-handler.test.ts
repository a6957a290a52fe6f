import type { WireConfigRecord, WireConfigRecordPage } from '@plugin-config/contract';
import { FAMILIES } from '@plugin-config/domain';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';

const add = async (call: Call, fields: object, family = 'plugin_configs') =>
  (await call('POST', `/${family}`, { body: fields })).body.id;

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
