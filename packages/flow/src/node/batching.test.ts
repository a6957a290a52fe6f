import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { batching, type BatchingOptions } from './batching.ts';

interface Sent {
  readonly items: readonly string[];
  readonly respond: (results?: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** Waits until all batches that can start have started. */
const tick = (): Promise<void> => sleep(2);

const TOO_LATE = new Error('too late');

type Options = Partial<Omit<BatchingOptions<string, string, null>, 'send'>>;

/** Batches that end when the test says so. */
function batches(options: Options = {}) {
  const sent: Sent[] = [];
  const request = batching<string, string, null>({
    maxItems: 100,
    maxConcurrent: 2,
    tenantOf: (item) => item.charAt(0),
    isTooLate: () => false,
    rejection: () => TOO_LATE,
    caller: () => null,
    onBehalfOf: (_, work) => work(),
    ...options,
    send: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      sent.push({ items, respond: (results = items) => resolve(results), fail: reject });
      return promise;
    },
  });
  return { request, sent, itemsSent: () => sent.map(({ items }) => items) };
}

test('requests of one tick share a batch, and each gets its own result', async () => {
  const { request, sent, itemsSent } = batches();
  const results = Promise.all(['a', 'b', 'c'].map(request));
  await tick();
  expect(itemsSent()).toEqual([['a', 'b', 'c']]);
  sent[0]?.respond(['A', 'B', 'C']);
  expect(await results).toEqual(['A', 'B', 'C']);
});

test('two batches run at a time, and later requests gather until one of them ends', async () => {
  const { request, sent, itemsSent } = batches();
  const results: Promise<string>[] = [];
  for (const item of ['a', 'b', 'c', 'd']) {
    results.push(request(item));
    await tick();
  }
  expect(itemsSent()).toEqual([['a'], ['b']]);
  sent[1]?.respond();
  expect(await results[1]).toBe('b');
  await tick();
  expect(itemsSent()).toEqual([['a'], ['b'], ['c', 'd']]);
  for (const batch of sent) batch.respond();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('a gathering batch leaves once it has as many items as the one in flight', async () => {
  const { request, sent, itemsSent } = batches({ gatherMs: 60_000 });
  const results = ['a', 'b', 'c'].map(request);
  await tick();
  results.push(request('d'), request('e'));
  await tick();
  expect(itemsSent()).toEqual([['a', 'b', 'c']]);
  results.push(request('f'));
  await tick();
  expect(itemsSent().slice(1)).toEqual([['d', 'e', 'f']]);
  for (const batch of sent) batch.respond();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a gathering batch leaves after a while even with fewer items than the one in flight', async () => {
  const { request, sent, itemsSent } = batches({ gatherMs: 5 });
  const results = ['a', 'b', 'c'].map(request);
  await tick();
  results.push(request('d'));
  await vi.waitFor(() => expect(itemsSent()).toEqual([['a', 'b', 'c'], ['d']]));
  for (const batch of sent) batch.respond();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('without gathering, a batch leaves even if a larger one is in flight', async () => {
  const { request, sent, itemsSent } = batches();
  const results = ['a', 'b', 'c'].map(request);
  await tick();
  results.push(request('d'));
  await tick();
  expect(itemsSent()).toEqual([['a', 'b', 'c'], ['d']]);
  for (const batch of sent) batch.respond();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('a batch has a limited number of items, and the rest join the next batch', async () => {
  const { request, sent, itemsSent } = batches({ maxItems: 2 });
  const results = Promise.all(['a', 'b', 'c', 'd', 'e'].map(request));
  await tick();
  expect(itemsSent()).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  sent[0]?.respond();
  sent[1]?.respond();
  await tick();
  sent[2]?.respond();
  expect(await results).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('the failure of a batch fails only its own requests', async () => {
  const { request, sent } = batches();
  const failing = Promise.allSettled([request('a'), request('b')]);
  await tick();
  const later = Promise.all([request('c'), request('d')]);
  await tick();
  sent[0]?.fail(new Error('derailed'));
  sent[1]?.respond();
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await later).toEqual(['c', 'd']);
});

test('tenants take turns if a batch cannot hold all items', async () => {
  const { request, itemsSent } = batches({ maxItems: 3, maxConcurrent: 1 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) void request(item);
  await tick();
  expect(itemsSent()).toEqual([['a1', 'b1', 'c1']]);
});

test('a batch has a limited number of bytes, but at least one item', async () => {
  const { request, sent, itemsSent } = batches({
    maxConcurrent: 1,
    maxBytes: 5,
    bytesOf: (item) => item.length,
  });
  for (const item of ['a'.repeat(9), 'b12', 'c1', 'd1']) void request(item);
  await tick();
  sent[0]?.respond();
  await tick();
  expect(itemsSent()).toEqual([['a'.repeat(9)], ['b12', 'c1']]);
});

test('items of a tenant in flight wait for its batch, while other tenants proceed', async () => {
  const { request, sent, itemsSent } = batches({ tenants: 'exclusive' });
  const all = [request('a1'), request('b1')];
  await tick();
  all.push(request('a2'), request('c1'));
  await tick();
  expect(itemsSent()).toEqual([['a1', 'b1'], ['c1']]);
  sent[0]?.respond();
  await tick();
  expect(itemsSent()[2]).toEqual(['a2']);
  for (const batch of sent) batch.respond();
  expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2', 'c1']);
});

test('each tenant gets its own batch if batches have a single tenant', async () => {
  const { request, itemsSent } = batches({ tenants: 'single' });
  for (const item of ['a1', 'b1', 'a2', 'c1']) void request(item);
  await tick();
  expect(itemsSent()).toEqual([['a1', 'a2'], ['b1']]);
});

test('an item that is too late is rejected and not sent', async () => {
  const { request, itemsSent } = batches({ isTooLate: (item) => item === 'a1' });
  const late = request('a1');
  void request('a2');
  await expect(late).rejects.toBe(TOO_LATE);
  expect(itemsSent()).toEqual([['a2']]);
});
