import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { fullOfStreams } from '../testing/full-of-streams.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { metricOf } from '../testing/metric-of.ts';
import { IMPATIENT, serviceOfFile } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';

const PATH = '/plugin_configs/stream';
/** With so many open files, a process has at most a thousand streams. */
const OPEN_FILES = 2_100;
const MOST = 1_000;

const running = serviceOfFile({}, { mains: IMPATIENT, openFiles: OPEN_FILES });

test('a process has nearly a thousand streams at once in less than 50 MB, some are left for newcomers, each is kept alive and gets its event, and nobody is harmed', async () => {
  await fullOfStreams(running(), { streams: MOST, mostBytes: 50 * MIB });
});

test(
  'streams that come and go leave no stream, connection or memory behind',
  { tags: ['long'] },
  async () => {
    const { http, tenant } = running();
    const greedy = await tenant();
    const { api } = greedy;
    const ended = () => metricOf(api, 'event_stream_ends_total{reason="closed"}');
    const comeAndGo = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 50) {
        const opened = await Promise.all(Array.from({ length: 50 }, () => openStream(greedy, PATH)));
        for (const { status, close } of opened) {
          expect(status).toBe(200);
          close();
        }
        await until(async () => (await metricOf(api, 'event_streams')) === 0);
      }
    };
    await comeAndGo(MOST);
    const [before, endedBefore] = [memoryOf(http).now, await ended()];
    await comeAndGo(MOST);
    expect(memoryOf(http).now - before).toBeLessThan(25 * MIB);
    expect((await ended()) - endedBefore).toBe(MOST);
    await until(async () => (await metricOf(api, 'http_connections')) < 20);
  },
);
