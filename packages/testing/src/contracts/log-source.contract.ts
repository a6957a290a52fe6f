import type { LogSource, SourceBatch, SourceMessage, StopSignal } from '@plugin-config/domain';
import { expect } from 'vitest';
import type { TestWith } from '../test-with.ts';

export interface SentToSource {
  readonly source: LogSource;
  /** Sends these lines, one after the other; where the source wants them again, as often as it takes. */
  send(lines: readonly string[]): Promise<void>;
  /** An `AbortController` will do. */
  readonly stop: { readonly signal: StopSignal; abort(): void };
}

/** Batches of a source, until the test is over. */
interface Reading extends AsyncDisposable {
  /** The next batches, until they bring as many messages. */
  next(messages: number): Promise<readonly SourceBatch[]>;
  /** Tells the source to end. Resolves to what it still brought. */
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
    .flatMap((message) => message.newId() ?? [])
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

/** What the worker relies on, wherever its messages come from. */
export function logSourceContract(test: TestWith<SentToSource>): void {
  test('messages arrive as they were sent, in their order', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(UNUSUAL);
    const batches = await reading.next(UNUSUAL.length);
    expect(textsOf(batches)).toEqual(UNUSUAL);
    await acknowledge(batches);
  });

  test('messages name their channel, and are nobody’s other try', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(1));
    const batches = await reading.next(1);
    expect(messagesOf(batches)[0]?.origin).toMatchObject({ channel: source.channel, deadLetterId: null });
    await acknowledge(batches);
  });

  test('messages that arrive together travel together', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(2000));
    const batches = await reading.next(2000);
    expect(textsOf(batches)).toEqual(numbered(2000));
    expect(batches.length).toBeLessThan(100);
    await acknowledge(batches);
  });

  test('a batch is handed out while others are', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(1));
    const first = await reading.next(1);
    void send(['"second"']);
    const second = await reading.next(1);
    expect(textsOf(second)).toEqual(['"second"']);
    await acknowledge(second);
    await acknowledge(first);
  });

  test('what was acknowledged does not come again', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(3));
    await acknowledge(await reading.next(3));
    void send(['"another"']);
    const batches = await reading.next(1);
    expect(textsOf(batches)).toEqual(['"another"']);
    await acknowledge(batches);
  });

  test('what was released comes again', async ({ source, send, stop }) => {
    await using reading = read({ source, stop });
    void send(numbered(3));
    await release(await reading.next(3));
    const again = await reading.next(3);
    expect(textsOf(again).toSorted()).toEqual(numbered(3));
    await acknowledge(again);
  });

  test('ids that the source makes up tell messages apart, and stay theirs', async ({
    source,
    send,
    stop,
  }) => {
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

  test('what was taken in later stands later, and keeps its place', async ({ source, send, stop }) => {
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

  test('it ends when it is told to, although nothing ever came', async (fixtures) => {
    const reading = read(fixtures);
    expect(await reading.end()).toEqual([]);
  });

  test('a batch that is out when it ends can still be acknowledged', async ({ source, send, stop }) => {
    const reading = read({ source, stop });
    void send(numbered(1));
    const batches = await reading.next(1);
    const left = reading.end();
    await acknowledge(batches);
    expect(await left).toEqual([]);
  });
}
