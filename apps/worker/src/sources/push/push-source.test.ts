import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Origin, SourceBatch } from '@plugin-config/domain';
import { logSourceContract, type SentToSource, type TestWith } from '@plugin-config/testing';
import { describe, expect, test } from 'vitest';
import { BATCH_MESSAGES } from '../batch-limits.ts';
import { pushSource, type PushSource } from './push-source.ts';

const origin: Origin = {
  channel: 'http',
  receivedAt: new Date(),
  streamTime: null,
  projectIds: [],
  deadLetterId: null,
};

const pushTest: TestWith<SentToSource> = (name, run) =>
  test(name, async () => {
    const source = pushSource();
    const send = async (lines: readonly string[]): Promise<void> => {
      const body = [Buffer.from(lines.join('\n'))];
      await source.push(body, origin).catch(() => send(lines));
    };
    await run({ source, send, stop: new AbortController() });
  });

describe('the push source', () => {
  logSourceContract(pushTest);
});

const BATCHES = 20;
const MANY = BATCHES * BATCH_MESSAGES;
const LINES_OF_CHUNK = 1000;
const CHUNKS = MANY / LINES_OF_CHUNK;

/** Fills so many batches. */
function largeBody(name: string): readonly Buffer[] {
  const lineOf = (chunk: number, i: number): string => `${name} ${chunk * LINES_OF_CHUNK + i}\n`;
  const textOf = (chunk: number): string =>
    Array.from({ length: LINES_OF_CHUNK }, (_, i) => lineOf(chunk, i)).join('');
  return Array.from({ length: CHUNKS }, (_, chunk) => Buffer.from(textOf(chunk)));
}

function startOf(source: PushSource): AsyncIterator<SourceBatch, void> {
  return source.batches(new AbortController().signal)[Symbol.asyncIterator]();
}

/** Stores the next batch. Resolves to its texts. */
async function storeNext(batches: AsyncIterator<SourceBatch, void>): Promise<readonly string[]> {
  const { value } = await batches.next();
  if (value === undefined) return [];
  await value.acknowledge(value.messages.map(() => 'stored'));
  return value.messages.map(({ text }) => text);
}

const isSettled = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), nextTurn(false)]);

describe('a large push', () => {
  test('delays no small one that comes behind it', async () => {
    const source = pushSource();
    const batches = startOf(source);
    const large = source.push(largeBody('large'), origin);
    await storeNext(batches);
    const small = source.push([Buffer.from('small 1\nsmall 2')], origin);
    expect(await storeNext(batches)).toEqual(expect.arrayContaining(['small 1', 'small 2']));
    expect([await isSettled(small), await isSettled(large)]).toEqual([true, false]);
    let further = 0;
    for (; !(await isSettled(large)); further++) await storeNext(batches);
    expect(further).toBeGreaterThan(BATCHES - 5);
    expect(await Promise.all([small, large])).toEqual([
      { stored: 2, duplicates: 0, dead: 0 },
      { stored: MANY, duplicates: 0, dead: 0 },
    ]);
  });

  test('shares each batch with its like, and each keeps its order', async () => {
    const source = pushSource();
    const batches = startOf(source);
    const names = ['a', 'b', 'c'];
    const reports = Promise.all(names.map((name) => source.push(largeBody(name), origin)));
    const held: (readonly string[])[] = [];
    while (!(await isSettled(reports))) held.push(await storeNext(batches));
    for (const batch of held.slice(0, BATCHES)) {
      expect(new Set(batch.map(([name]) => name)).size).toBe(3);
      expect(batch.length).toBeLessThan(1.5 * BATCH_MESSAGES);
    }
    const texts = held.flat();
    for (const name of names) {
      expect(texts.filter((text) => text.startsWith(name))).toEqual(
        Array.from({ length: MANY }, (_, i) => `${name} ${i}`),
      );
    }
  });

  test('that is not stored leaves no line behind', async () => {
    const source = pushSource();
    const batches = startOf(source);
    const large = source.push(largeBody('large'), origin);
    const { value } = await batches.next();
    const reason = large.catch((error: unknown) => error);
    await value?.release(new Error('not now'));
    expect(await reason).toMatchObject({ message: 'not now' });
    void source.push([Buffer.from('another')], origin);
    expect(await storeNext(batches)).toEqual(['another']);
  });
});
