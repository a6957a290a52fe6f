import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { batching, type BatchingOptions } from './batching.ts';

interface Sent {
  readonly items: readonly string[];
  readonly answer: (answers?: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** Waits until all batches that can start have started. */
const tick = (): Promise<void> => sleep(2);

const TOO_LATE = new Error('too late');

type Options = Partial<Omit<BatchingOptions<string, string, null>, 'send'>>;

/** Batches that end when the test says so. */
function batches(options: Options = {}) {
  const sent: Sent[] = [];
  const ask = batching<string, string, null>({
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
      sent.push({ items, answer: (answers = items) => resolve(answers), fail: reject });
      return promise;
    },
  });
  return { ask, sent, itemsSent: () => sent.map(({ items }) => items) };
}

test('requests of one tick share a batch, and each gets its own result', async () => {
  const { ask, sent, itemsSent } = batches();
  const answers = Promise.all(['a', 'b', 'c'].map(ask));
  await tick();
  expect(itemsSent()).toEqual([['a', 'b', 'c']]);
  sent[0]?.answer(['A', 'B', 'C']);
  expect(await answers).toEqual(['A', 'B', 'C']);
});

test('two batches run at a time, and later requests gather until one of them ends', async () => {
  const { ask, sent, itemsSent } = batches();
  const asked: Promise<string>[] = [];
  for (const item of ['a', 'b', 'c', 'd']) {
    asked.push(ask(item));
    await tick();
  }
  expect(itemsSent()).toEqual([['a'], ['b']]);
  sent[1]?.answer();
  expect(await asked[1]).toBe('b');
  await tick();
  expect(itemsSent()).toEqual([['a'], ['b'], ['c', 'd']]);
  for (const batch of sent) batch.answer();
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd']);
});

test('beside another batch, one that gathers leaves with as many items as that has', async () => {
  const { ask, sent, itemsSent } = batches({ gatherMs: 60_000 });
  const asked = ['a', 'b', 'c'].map(ask);
  await tick();
  asked.push(ask('d'), ask('e'));
  await tick();
  expect(itemsSent()).toEqual([['a', 'b', 'c']]);
  asked.push(ask('f'));
  await tick();
  expect(itemsSent().slice(1)).toEqual([['d', 'e', 'f']]);
  for (const batch of sent) batch.answer();
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('beside a batch that takes long, one that gathers leaves however few items it has', async () => {
  const { ask, sent, itemsSent } = batches({ gatherMs: 5 });
  const asked = ['a', 'b', 'c'].map(ask);
  await tick();
  asked.push(ask('d'));
  await vi.waitFor(() => expect(itemsSent()).toEqual([['a', 'b', 'c'], ['d']]));
  for (const batch of sent) batch.answer();
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd']);
});

test('a batch that does not gather leaves beside a larger one', async () => {
  const { ask, sent, itemsSent } = batches();
  const asked = ['a', 'b', 'c'].map(ask);
  await tick();
  asked.push(ask('d'));
  await tick();
  expect(itemsSent()).toEqual([['a', 'b', 'c'], ['d']]);
  for (const batch of sent) batch.answer();
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd']);
});

test('a batch holds a limited number of items, and the rest joins the next batch', async () => {
  const { ask, sent, itemsSent } = batches({ maxItems: 2 });
  const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask));
  await tick();
  expect(itemsSent()).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  sent[0]?.answer();
  sent[1]?.answer();
  await tick();
  sent[2]?.answer();
  expect(await answers).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('the failure of a batch fails all its requests and no others', async () => {
  const { ask, sent } = batches();
  const failing = Promise.allSettled([ask('a'), ask('b')]);
  await tick();
  const later = Promise.all([ask('c'), ask('d')]);
  await tick();
  sent[0]?.fail(new Error('derailed'));
  sent[1]?.answer();
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await later).toEqual(['c', 'd']);
});

test('tenants take turns if a batch cannot hold all items', async () => {
  const { ask, itemsSent } = batches({ maxItems: 3, maxConcurrent: 1 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) void ask(item);
  await tick();
  expect(itemsSent()).toEqual([['a1', 'b1', 'c1']]);
});

test('a batch holds a limited number of bytes, but at least one item', async () => {
  const { ask, sent, itemsSent } = batches({ maxConcurrent: 1, maxBytes: 5, bytesOf: (item) => item.length });
  for (const item of ['a'.repeat(9), 'b12', 'c1', 'd1']) void ask(item);
  await tick();
  sent[0]?.answer();
  await tick();
  expect(itemsSent()).toEqual([['a'.repeat(9)], ['b12', 'c1']]);
});

test('items of a tenant in flight wait for its batch, and other tenants do not', async () => {
  const { ask, sent, itemsSent } = batches({ tenants: 'exclusive' });
  const all = [ask('a1'), ask('b1')];
  await tick();
  all.push(ask('a2'), ask('c1'));
  await tick();
  expect(itemsSent()).toEqual([['a1', 'b1'], ['c1']]);
  sent[0]?.answer();
  await tick();
  expect(itemsSent()[2]).toEqual(['a2']);
  for (const batch of sent) batch.answer();
  expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2', 'c1']);
});

test('each tenant gets its own batch if a batch holds one tenant', async () => {
  const { ask, itemsSent } = batches({ tenants: 'single' });
  for (const item of ['a1', 'b1', 'a2', 'c1']) void ask(item);
  await tick();
  expect(itemsSent()).toEqual([['a1', 'a2'], ['b1']]);
});

test('an item that is too late is rejected and not sent', async () => {
  const { ask, itemsSent } = batches({ isTooLate: (item) => item === 'a1' });
  const late = ask('a1');
  void ask('a2');
  await expect(late).rejects.toBe(TOO_LATE);
  expect(itemsSent()).toEqual([['a2']]);
});
