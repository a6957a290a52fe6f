import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { benchStreams } from './streams-bench.ts';

/** Measures the latency and memory of 1,000 streams of logs, and what they cost ingestion. */
export const streamsPart: Part = async (options) => {
  const { latencies, idleMb, missing, rounds } = await benchStreams(options);
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  const ratio = (of: (round: (typeof rounds)[number]) => number): string => median(rounds.map(of)).toFixed(2);
  const rows = [
    ['latency from the end of the push to the event, median (ms)', at(0.5), '< 50'],
    ['the same, 99 of 100 (ms)', at(0.99), ''],
    ['memory of 1,000 idle streams (MB)', idleMb.toFixed(0), '< 50'],
    [
      'seconds to store entries of other logs beside 1,000 streams, to nobody',
      ratio(({ others }) => others.seconds),
      '<= 1.05',
    ],
    ['the same, CPU of the worker', ratio(({ others }) => others.cpu), '<= 1.05'],
    [
      'seconds if each entry is sent on a stream by the same cores, to nobody',
      ratio(({ followed }) => followed.seconds),
      '',
    ],
    ['the same, CPU of the worker', ratio(({ followed }) => followed.cpu), ''],
    ['missing or double events', missing, '0'],
  ];
  return { text: markdownTable(['streams', 'result', 'goal'], rows), wrong: missing };
};
