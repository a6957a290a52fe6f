import type { LogSource, SourceBatch, SourceMessage } from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import { expect } from 'vitest';
import type { TestWith } from '../test-with.ts';

export interface SentToSource {
  readonly source: LogSource;
  /** Sends the lines in order, and repeats them if the source requests it. */
  send(lines: readonly string[]): Promise<void>;
  /** Stops the source, like `AbortController.abort`. */
  readonly stop: { readonly signal: StopSignal; abort(): void };
}

/** Reads the batches of a source until the test ends. */
interface Reading extends AsyncDisposable {
  /** Reads batches until they have this many messages. */
  next(messages: number): Promise<readonly SourceBatch[]>;
  /** Stops the source. Returns its remaining batches. */
  end(): Promise<readonly SourceBatch[]>;
}

function read({ source, stop }: Pick<SentToSource, 'source' | 'stop'>): Reading {
  const batches = source.batches(stop.signal)[Symbol.asyncIterator]();
  const end = async (): Promise<readonly SourceBatch[]> => {
    stop.abort();
    const left: SourceBatch[] = [];
    for (let next = await batches.next(); next.done !== true; next = await batches.next())
      left.push(next.value);
    return left;
  };
  return {
    next: async (messages) => {
      const found: SourceBatch[] = [];
      while (textsOf(found).length < messages) {
        const { done, value } = await batches.next();
        if (done === true) break;
        found.push(value);
      }
      return found;
    },
    end,
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}

const messagesOf = (batches: readonly SourceBatch[]): readonly SourceMessage[] =>
  batches.flatMap(({ messages }) => messages);

const textsOf = (batches: readonly SourceBatch[]): readonly string[] =>
  messagesOf(batches).map(({ text }) => text);

const idsOf = (batches: readonly SourceBatch[]): readonly string[] =>
  messagesOf(batches)
    .flatMap((message) => message.newId?.() ?? [])
    .toSorted();

async function acknowledge(batches: readonly SourceBatch[]): Promise<void> {
  for (const batch of batches) await batch.acknowledge(batch.messages.map(() => 'stored'));
}

async function release(batches: readonly SourceBatch[]): Promise<void> {
  for (const batch of batches) await batch.release(new Error('not now'));
}

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `{"plugin_config_id":1,"message":"line ${i}"}`);

const UNUSUAL = ['{"message":"é 🚀 \\u0000 \\ud800"}', 'not JSON', '[]', '  {"message": "spaced"} ', '1e400'];

export function logSourceContract(test: TestWith<SentToSource>): void {
  test('messages arrive unchanged and in order', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(UNUSUAL);
    const batches = await reading.next(UNUSUAL.length);
    expect(textsOf(batches)).toEqual(UNUSUAL);
    await acknowledge(batches);
  });

  test('messages name their channel, and do not retry dead letters', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(1));
    const batches = await reading.next(1);
    expect(messagesOf(batches)[0]?.origin).toMatchObject({ channel: source.channel, deadLetterId: null });
    await acknowledge(batches);
  });

  test('messages that arrive together share batches', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(2000));
    const batches = await reading.next(2000);
    expect(textsOf(batches)).toEqual(numbered(2000));
    expect(batches.length).toBeLessThan(100);
    await acknowledge(batches);
  });

  test('a batch is delivered while others are unacknowledged', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(1));
    const first = await reading.next(1);
    void send(['"second"']);
    const second = await reading.next(1);
    expect(textsOf(second)).toEqual(['"second"']);
    await acknowledge(second);
    await acknowledge(first);
  });

  test('an acknowledged batch is not delivered again', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(3));
    await acknowledge(await reading.next(3));
    void send(['"another"']);
    const batches = await reading.next(1);
    expect(textsOf(batches)).toEqual(['"another"']);
    await acknowledge(batches);
  });

  test('a released batch is delivered again', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(3));
    await release(await reading.next(3));
    const again = await reading.next(3);
    expect(textsOf(again).toSorted()).toEqual(numbered(3));
    await acknowledge(again);
  });

  test('generated ids are unique, and stay the same on redelivery', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    const lines = ['{"message":"twin"}', '{"message":"twin"}', '{"message":"other"}'];
    void send(lines);
    const first = await reading.next(3);
    const ids = idsOf(first);
    await release(first);
    const again = await reading.next(3);
    expect(idsOf(again)).toEqual(ids);
    await acknowledge(again);
    expect([0, 3]).toContain(new Set(ids).size);
  });

  test('a later message has a higher position, and keeps it on redelivery', async ({
    source,
    send,
    stop,
  }) => {
    await using reading = read({ source, stop });
    void send(numbered(1200));
    const first = await reading.next(1200);
    const positions = messagesOf(first).map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(1200);
    await release(first);
    const again = messagesOf(await reading.next(1200));
    expect(again.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(positions);
  });

  test('a source without messages ends when it is stopped', async (fixtures) => {
    const reading = read(fixtures);
    expect(await reading.end()).toEqual([]);
  });

  test('an unacknowledged batch can be acknowledged after the source was stopped', async ({
    source,
    send,
    stop,
  }) => {
    const reading = read({ source, stop });
    void send(numbered(1));
    const batches = await reading.next(1);
    const left = reading.end();
    await acknowledge(batches);
    expect(await left).toEqual([]);
  });
}
