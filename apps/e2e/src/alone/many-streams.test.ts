import { metricOf, until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { fillWithStreams } from '../testing/fill-with-streams.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { SHORT_TIMEOUTS, serviceOfFile } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';

const PATH = '/plugin_configs/stream';
/** This limit of open files allows a process a thousand streams. */
const OPEN_FILES = 2_100;
const MAX_STREAMS = 1_000;

const running = serviceOfFile({}, { mains: SHORT_TIMEOUTS, openFiles: OPEN_FILES });

test('a process serves nearly a thousand streams in less than 50 MB, and leaves some for newcomers', async () => {
  await fillWithStreams(running(), { streams: MAX_STREAMS, maxBytes: 50 * MIB });
});

test('closed streams leak no memory or connections', { tags: ['long'] }, async () => {
  const { http, tenant } = running();
  const greedy = await tenant();
  const { api } = greedy;
  const ended = () => metricOf(api, 'event_stream_ends_total{reason="closed"}');
  const openAndClose = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 50) {
      const opened = await Promise.all(Array.from({ length: 50 }, () => openStream(greedy, PATH)));
      for (const { status, close } of opened) {
        expect(status).toBe(200);
        close();
      }
      await until(async () => (await metricOf(api, 'event_streams')) === 0);
    }
  };
  await openAndClose(MAX_STREAMS);
  const [before, endedBefore] = [memoryOf(http).now, await ended()];
  await openAndClose(MAX_STREAMS);
  expect(memoryOf(http).now - before).toBeLessThan(25 * MIB);
  expect((await ended()) - endedBefore).toBe(MAX_STREAMS);
  await until(async () => (await metricOf(api, 'http_connections')) < 20);
});
