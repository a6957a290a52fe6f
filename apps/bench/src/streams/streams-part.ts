import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { benchStreams } from './streams-bench.ts';

/** Measures the latency and memory of 1,000 log streams, and how much they slow down ingestion. */
export const streamsPart: Part = async (options) => {
  const { latencies, idleMb, missing, rounds } = await benchStreams(options);
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  const ratio = (of: (round: (typeof rounds)[number]) => number): string => median(rounds.map(of)).toFixed(2);
  const rows = [
    ['latency from the end of the push to the event, median (ms)', at(0.5), '< 50'],
    ['the same, 99th percentile (ms)', at(0.99), ''],
    ['memory of 1,000 idle streams (MB)', idleMb.toFixed(0), '< 50'],
    [
      'seconds to store entries of other logs with 1,000 streams, relative to none',
      ratio(({ others }) => others.seconds),
      '<= 1.05',
    ],
    ['the same, CPU of the worker', ratio(({ others }) => others.cpu), '<= 1.05'],
    [
      'seconds if the same cores send each entry to a stream, relative to none',
      ratio(({ followed }) => followed.seconds),
      '',
    ],
    ['the same, CPU of the worker', ratio(({ followed }) => followed.cpu), ''],
    ['missing or duplicate events', missing, '0'],
  ];
  return { text: markdownTable(['streams', 'result', 'goal'], rows), errors: missing };
};
