import type { LogSource, MessageOrigin, SourceMessage } from '@plugin-config/domain';
import { nodeRandomness } from '@plugin-config/persistence';
import pino from 'pino';
import { expect, test } from 'vitest';
import { ingestFrom } from './ingest-from.ts';

const ORIGIN: MessageOrigin = {
  channel: 'http',
  receivedAt: new Date(),
  streamTime: null,
  projectIds: [],
  pluginIds: [],
  owner: 'account 1',
  deadLetterId: null,
};

function sourceOf(messages: readonly SourceMessage[]): LogSource {
  return {
    channel: ORIGIN.channel,
    async *batches() {
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
  await ingestFrom(
    sourceOf(junk),
    {
      // Never begins the batch, so all the time is spent on parsing it.
      stores: { withBatch: () => Promise.reject(new Error('A test.')) },
      meter: { observe: () => undefined },
      logger: pino({ level: 'silent' }),
      clock: { now: () => new Date() },
      randomness: nodeRandomness(),
      instanceId: nodeRandomness().uuid(),
      retentionDays: 7,
    },
    new AbortController().signal,
  );
  clearInterval(counting);
  expect(turns).toBeGreaterThan(5);
});
