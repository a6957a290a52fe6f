import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { groupMetrics } from './group-metrics.ts';
import { addUp, samplesOf, textOf, type Samples } from './samples.ts';

async function aProcess(requests: number, gauge: number) {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests_total', help: '-', labelNames: ['status'], registers }).inc(
    { status: 200 },
    requests,
  );
  new Gauge({ name: 'bytes', help: '-', registers }).set(gauge);
  new Gauge({ name: 'dead_letters', help: '-', registers, aggregator: 'max' }).set(gauge);
  const seconds = new Histogram({ name: 'seconds', help: '-', buckets: [1, 2], registers });
  for (let i = 0; i < requests; i++) seconds.observe(1.5);
  return { samples: await samplesOf(registry), refresh: async () => undefined };
}

const linesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^(requests_total|bytes|dead_letters|seconds)/.test(line));

test('counts, gauges and histograms of processes are added up; what all of them see alike is not', async () => {
  const [one, two] = [await aProcess(3, 10), await aProcess(4, 12)];
  expect(linesOf(await textOf(await addUp([one.samples, two.samples])))).toEqual([
    'requests_total{status="200"} 7',
    'bytes 22',
    'dead_letters 12',
    'seconds_bucket{le="1"} 0',
    'seconds_bucket{le="2"} 7',
    'seconds_bucket{le="+Inf"} 7',
    'seconds_sum 10.5',
    'seconds_count 7',
  ]);
});

test('a figure that one process does not know is that of the others, and NaN if nobody knows it', async () => {
  const [one, two] = [await aProcess(1, Number.NaN), await aProcess(1, 5)];
  const received = JSON.parse(JSON.stringify(one.samples)) as Samples;
  const figure = async (...processes: readonly Samples[]) =>
    linesOf(await textOf(await addUp(processes))).filter((line) => /^(dead_letters|bytes)/.test(line));
  expect(await figure(received, two.samples)).toEqual(['bytes 5', 'dead_letters 5']);
  expect(await figure(received, received)).toEqual(['bytes Nan', 'dead_letters Nan']);
});

test('the counts of processes that have ended stay, and their gauges do not', async () => {
  const [one, two, three] = [await aProcess(3, 10), await aProcess(4, 12), await aProcess(5, 1)];
  const members = new Set([one, two]);
  const metrics = groupMetrics(members);
  for (const ended of [one, two]) {
    members.delete(ended);
    metrics.keep(ended);
  }
  members.add(three);
  const lines = linesOf(await metrics.text());
  expect(lines).toContain('requests_total{status="200"} 12');
  expect(lines).toContain('seconds_count 12');
  expect(lines).toContain('bytes 1');
});
