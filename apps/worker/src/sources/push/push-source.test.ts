import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError, type SourceBatch } from '@plugin-config/domain';
import { anOrigin, logSourceContract, type SentToSource, type TestWith } from '@plugin-config/testing';
import { describe, expect, test } from 'vitest';
import { BATCH_MESSAGES } from '../batch-limits.ts';
import { pushSource, type PushSource, type Sender } from './push-source.ts';

const ORIGIN = anOrigin();

const from = (tenant: number): Sender => ({ origin: ORIGIN, tenant, onEnd: () => undefined });

const pushTest: TestWith<SentToSource> = (name, run) =>
  test(name, async () => {
    const source = pushSource();
    const send = async (lines: readonly string[]): Promise<void> => {
      const body = [Buffer.from(lines.join('\n'))];
      await source.push(body, from(1)).catch(() => send(lines));
    };
    await run({ source, send, stop: new AbortController() });
  });

describe('the push source', () => {
  logSourceContract(pushTest);
});

test('removes its listener from the signal if it is not read to the end', async () => {
  const { signal } = new AbortController();
  const source = pushSource();
  source.push([Buffer.from('{}')], from(1)).catch(() => undefined);
  for await (const batch of source.batches(signal)) {
    await batch.release(new Error('A test.'));
    break;
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

const BATCHES = 20;
const MANY = BATCHES * BATCH_MESSAGES;
const LINES_OF_CHUNK = 1000;
const CHUNKS = MANY / LINES_OF_CHUNK;

/** Returns a body that fills several batches. */
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

/** Pushes without waiting for the outcome. */
function startPush(source: PushSource, body: readonly Buffer[], sender: Sender): void {
  source.push(body, sender).catch(() => undefined);
}

const isSettled = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), nextTurn(false)]);

describe('a large push', () => {
  test('delays no smaller push behind it', async () => {
    const source = pushSource();
    const batches = startOf(source);
    const large = source.push(largeBody('large'), from(1));
    await storeNext(batches);
    const small = source.push([Buffer.from('small 1\nsmall 2')], from(1));
    expect(await storeNext(batches)).toEqual(expect.arrayContaining(['small 1', 'small 2']));
    expect([await isSettled(small), await isSettled(large)]).toEqual([true, false]);
    let further = 0;
    for (; !(await isSettled(large)); further++) await storeNext(batches);
    expect(further).toBeGreaterThan(BATCHES - 5);
    expect(await Promise.all([small, large])).toMatchObject([
      { stored: 2, duplicates: 0, dead: 0 },
      { stored: MANY, duplicates: 0, dead: 0 },
    ]);
  });

  test('shares batches with other large pushes, and keeps its order', async () => {
    const source = pushSource();
    const batches = startOf(source);
    const names = ['a', 'b', 'c'];
    const reports = Promise.all(names.map((name) => source.push(largeBody(name), from(1))));
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

  test('leaves no lines behind if it fails', async () => {
    const source = pushSource();
    const batches = startOf(source);
    const large = source.push(largeBody('large'), from(1));
    const { value } = await batches.next();
    const reason = large.catch((error: unknown) => error);
    await value?.release(new Error('not now'));
    expect(await reason).toMatchObject({ message: 'not now' });
    startPush(source, [Buffer.from('another')], from(1));
    expect(await storeNext(batches)).toEqual(['another']);
  });
});

describe('tenants', () => {
  const MANY_PUSHES = 300;
  const lines = (name: string, count: number): readonly Buffer[] => [Buffer.from(`${name}\n`.repeat(count))];

  test('take turns: a single line waits for one batch, no matter how many pushes of others are waiting', async () => {
    const source = pushSource();
    const batches = startOf(source);
    for (let i = 0; i < MANY_PUSHES; i++) startPush(source, lines('many', 500), from(1));
    await storeNext(batches);
    const own = source.push(lines('own', 1), from(2));
    expect(await storeNext(batches)).toContain('own');
    expect(await own).toMatchObject({ stored: 1, duplicates: 0, dead: 0 });
  });

  test('with many lines get separate batches, and delay no line of other tenants', async () => {
    const source = pushSource();
    const batches = startOf(source);
    for (let i = 0; i < MANY_PUSHES; i++) startPush(source, lines('many', 500), from(1));
    const held = [await batches.next(), await batches.next()];
    const own = source.push(lines('own', 1), from(2));
    expect(await storeNext(batches)).toEqual(['own']);
    expect(await own).toMatchObject({ stored: 1, duplicates: 0, dead: 0 });
    const next = batches.next();
    expect(await isSettled(next)).toBe(false);
    await held[0]?.value?.acknowledge(Array.from({ length: BATCH_MESSAGES }, () => 'stored'));
    expect((await next).value?.messages.length).toBe(BATCH_MESSAGES);
  });

  test('with few lines share a batch', async () => {
    const source = pushSource();
    const batches = startOf(source);
    for (let tenant = 0; tenant < 50; tenant++) startPush(source, lines(`${tenant}`, 2), from(tenant));
    expect((await storeNext(batches)).length).toBe(100);
  });

  test('also take turns by characters', async () => {
    // On a busy machine, the time limit of a batch would end it before both had a turn.
    const source = pushSource({ now: () => 0 });
    const batches = startOf(source);
    const long = [Buffer.from(`${'x'.repeat(1000)}\n`.repeat(MANY))];
    startPush(source, long, from(1));
    startPush(source, lines('own', 5000), from(2));
    const texts = await storeNext(batches);
    const own = texts.filter((text) => text === 'own').length;
    expect(texts.length - own).toBeLessThan(0.6 * own);
  });
});

describe('a push that waits', () => {
  test('for too long is rejected, and its remaining lines are not stored', async () => {
    let time = 0;
    const source = pushSource({ timeoutMs: 1000, now: () => time });
    const batches = startOf(source);
    const late = source.push(largeBody('late'), from(1)).catch((error: unknown) => error);
    const taken = await storeNext(batches);
    time = 1001;
    expect(await late).toMatchObject({ code: 'busy', retryAfterSeconds: 2 });
    const next = source.push([Buffer.from('next')], from(1));
    expect([taken.length > 0, await storeNext(batches)]).toEqual([true, ['next']]);
    expect(await next).toMatchObject({ stored: 1, duplicates: 0, dead: 0 });
  });

  test('is not stored if its sender disconnects', async () => {
    const source = pushSource();
    const batches = startOf(source);
    const gone = Promise.withResolvers<void>();
    const sender = { ...from(1), onEnd: (listener: () => void) => void gone.promise.then(listener) };
    const lost = source.push([Buffer.from('lost')], sender).catch((error: unknown) => error);
    gone.resolve();
    expect(await lost).toBeInstanceOf(DomainError);
    startPush(source, [Buffer.from('next')], from(1));
    expect(await storeNext(batches)).toEqual(['next']);
  });
});

describe('lines of only white space', () => {
  const MIB = 1024 * 1024;
  const PUSHES = 40;
  const KINDS = {
    'a newline': '\n',
    'a space': ' \n',
    'a no-break space': '\u{a0}\n',
    'a thousand spaces': `${' '.repeat(1000)}\n`,
  };

  test.each(Object.entries(KINDS))(
    'of %s delay no other tenant, no matter how many keep arriving',
    async (_, line) => {
      const source = pushSource();
      const batches = startOf(source);
      const body = [Buffer.from(line.repeat(MIB / Buffer.byteLength(line)))];
      let begun = 0;
      let stored = 0;
      const keepPushing = async (): Promise<void> => {
        while (begun++ < PUSHES) {
          expect(await source.push(body, from(1))).toMatchObject({ stored: 0, duplicates: 0, dead: 0 });
          stored++;
        }
      };
      const senders = Promise.all([keepPushing(), keepPushing(), keepPushing(), keepPushing()]);
      startPush(source, [Buffer.from('own')], from(2));
      expect(await storeNext(batches)).toEqual(['own']);
      expect(stored).toBeLessThan(8);
      const rest = batches.next();
      await senders;
      startPush(source, [Buffer.from('last')], from(2));
      expect((await rest).value?.messages.map(({ text }) => text)).toEqual(['last']);
    },
  );

  test('do not block the process while they are read', async () => {
    const source = pushSource();
    const batches = startOf(source);
    const blank = source.push(
      Array.from({ length: 256 }, () => Buffer.from('\u{a0}\n'.repeat(20_000))),
      from(1),
    );
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const next = batches.next();
    expect(await blank).toMatchObject({ stored: 0, duplicates: 0, dead: 0 });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(3);
    startPush(source, [Buffer.from('own')], from(2));
    expect((await next).value?.messages.map(({ text }) => text)).toEqual(['own']);
  });
});

test('yields a batch after a while even if it is not full', async () => {
  let time = 0;
  const source = pushSource({ now: () => time++ });
  const batches = startOf(source);
  for (let tenant = 0; tenant < 1000; tenant++) startPush(source, [Buffer.from(`${tenant}`)], from(tenant));
  const texts = await storeNext(batches);
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.length).toBeLessThan(100);
});
