import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { benchFeed } from './feed-bench.ts';
import { benchRuntimes, type Held } from './runtimes-bench.ts';

/** Two waits for each project, up to the limit of a process. */
const WAITS_MAX = 20_000;

/** Measures a thousand runtimes that wait and report, followers of all projects, the registration of a plugin, and the rotation of master keys. */
export const runtimesPart: Part = async (options) => {
  const { waits, streams, latencies, latenciesOfMany, patches, lostReports, registrationMs, rotationMs } =
    await benchRuntimes(options);
  const { databaseUrl, tenants: projects, seconds } = options;
  const feed = await benchFeed({ databaseUrl, projects, waits: Math.min(WAITS_MAX, 2 * projects), seconds });
  const p99 = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(0.99 * values.length)] ?? Number.NaN;
  const ms = (values: readonly number[], of = median): string => of(values).toFixed(0);
  const slowest = (values: readonly number[]): number => Math.max(...values);
  const cost = ({ memory, cpu }: Held): string => `${memory.toFixed(0)} MB, ${cpu.toFixed(0)} ms/s`;
  const rows = [
    ['1,000 waiting runtimes: memory, CPU', cost(waits), 'like streams'],
    ['1,000 streams of a family: memory, CPU', cost(streams), ''],
    ['from a change until 1,000 runtimes have its version, median (ms)', ms(latencies), ''],
    ['the same, slowest (ms)', ms(latencies, slowest), '< 250'],
    ['10,000 runtimes, median (ms)', ms(latenciesOfMany), ''],
    ['the same, slowest (ms)', ms(latenciesOfMany, slowest), '< 1500'],
    ['PATCH with 1,000 heartbeats a minute, relative to PATCH alone', median(patches).toFixed(2), '>= 0.97'],
    ['reports that were not stored', lostReports, '0'],
    [
      `first synchronisation of 100 followers of ${projects} projects (s)`,
      feed.syncSeconds.toFixed(1),
      '< 10',
    ],
    ['the same, memory (MB)', feed.syncMemory.toFixed(0), '< 64'],
    [
      'a change is seen by 100 followers at 50 changes a second, 99th percentile (ms)',
      ms(feed.seenMs, p99),
      '< 500',
    ],
    [`${feed.waits} idle waits for all projects, each (kB)`, feed.waitKb.toFixed(1), '< 10'],
    ['registration of a plugin of 10,000 records, slowest (ms)', ms(registrationMs, slowest), '< 100'],
    ['rotation of 10,000 data keys, slowest (ms)', ms(rotationMs, slowest), '< 1000'],
  ];
  return { text: markdownTable(['runtimes', 'result', 'goal'], rows), errors: lostReports };
};
