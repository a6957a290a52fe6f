import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IngestionStores, LogSource, SourceMessage } from '@plugin-config/domain';
import { nodeRandomness } from '@plugin-config/persistence';
import { anOrigin } from '@plugin-config/testing';
import pino from 'pino';
import { expect, test } from 'vitest';
import { ingestFrom } from './ingest-from.ts';

const ORIGIN = anOrigin();

/** A source of one batch after another, each with these messages. */
function sourceOf(messages: readonly SourceMessage[], batches = 1): LogSource {
  return {
    channel: ORIGIN.channel,
    async *batches() {
      for (let batch = 0; batch < batches; batch++)
        yield { messages, acknowledge: async () => undefined, release: async () => undefined };
    },
  };
}

test('parsing many short invalid messages does not block the process', async () => {
  const junk = Array.from({ length: 20_000 }, (_, position) => ({
    text: 'x',
    origin: ORIGIN,
    position,
  }));
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  // Never begins the batch, so all the time is spent on parsing it.
  await ingest(sourceOf(junk), () => Promise.reject(new Error('A test.')));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(5);
});

test('three batches are stored at a time, and all of them before the end', async () => {
  const ends: (() => void)[] = [];
  let hasEnded = false;
  const ingested = ingest(sourceOf([{ text: 'x', origin: ORIGIN, position: 1 }], 4), () => {
    const { promise, resolve } = Promise.withResolvers<never[]>();
    ends.push(() => resolve([]));
    return promise as Promise<never>;
  }).then(() => (hasEnded = true));
  await expect.poll(() => ends.length).toBe(3);
  await nextTurn();
  expect(ends).toHaveLength(3);
  ends[1]?.();
  await expect.poll(() => ends.length).toBe(4);
  for (const end of ends.slice(1)) end();
  await nextTurn();
  expect(hasEnded).toBe(false);
  ends[0]?.();
  await ingested;
});

function ingest(source: LogSource, withBatch: IngestionStores['withBatch']): Promise<void> {
  return ingestFrom(
    source,
    {
      stores: { withBatch },
      meter: { observe: () => undefined },
      logger: pino({ level: 'silent' }),
      clock: { now: () => new Date() },
      randomness: nodeRandomness(),
      instanceId: nodeRandomness().uuid(),
      retentionDays: 7,
    },
    new AbortController().signal,
  );
}
