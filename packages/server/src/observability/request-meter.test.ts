import fc from 'fast-check';
import { Counter, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { BUCKETS, requestMeter } from './request-meter.ts';

test('the series equal those of the metrics library', async () => {
  const observation = fc.tuple(
    fc.constantFrom('GET', 'PATCH'),
    fc.constantFrom('/a', '/b'),
    fc.constantFrom(200, 503),
    fc.oneof(
      fc.constantFrom(...BUCKETS),
      fc.integer({ min: 0, max: 20_000 }).map((n) => n / 1024),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(observation), async (observations) => {
      const meter = requestMeter();
      const library = libraryMeter();
      for (const [method, route, status, seconds] of observations) {
        meter.observe(method, route, status, seconds);
        library.observe({ method, route, status }, seconds);
      }
      expect(seriesIn(meter.text())).toEqual(seriesIn(await library.text()));
    }),
  );
});

function libraryMeter() {
  const registry = new Registry();
  const options = { registers: [registry], help: '-' };
  const total = new Counter({
    name: 'http_requests_total',
    labelNames: ['method', 'route', 'status'],
    ...options,
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    labelNames: ['method', 'route'],
    buckets: [...BUCKETS],
    ...options,
  });
  return {
    observe: ({ status, ...of }: Record<'method' | 'route' | 'status', string | number>, seconds: number) => {
      total.inc({ ...of, status });
      duration.observe(of, seconds);
    },
    text: () => registry.metrics(),
  };
}

/** The library puts `le` first. The order of labels has no meaning. */
function seriesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/\{(le="[^"]+"),(.*)\}/, '{$2,$1}'))
    .toSorted();
}
