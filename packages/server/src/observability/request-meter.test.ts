import fc from 'fast-check';
import { Counter, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { BUCKETS, requestMeter } from './request-meter.ts';

test('the counts are in the text format of Prometheus', () => {
  const meter = requestMeter();
  meter.observe('GET', '/a', 200, 0.0005);
  meter.observe('GET', '/a', 200, 0.3);
  meter.observe('GET', '/a', 200, 60);
  meter.observe('POST', 'unknown', 404, 0.001);
  const lines = meter.text().split('\n');
  expect(lines).toContain('http_requests_total{method="GET",route="/a",status="200"} 3');
  expect(lines).toContain('http_requests_total{method="POST",route="unknown",status="404"} 1');
  const bucket = (le: string): string =>
    `http_request_duration_seconds_bucket{method="GET",route="/a",le="${le}"}`;
  expect(lines).toContain(`${bucket('0.001')} 1`);
  expect(lines).toContain(`${bucket('0.25')} 1`);
  expect(lines).toContain(`${bucket('0.5')} 2`);
  expect(lines).toContain(`${bucket('10')} 2`);
  expect(lines).toContain(`${bucket('+Inf')} 3`);
  expect(lines).toContain('http_request_duration_seconds_sum{method="GET",route="/a"} 60.3005');
  expect(lines).toContain('http_request_duration_seconds_count{method="GET",route="/a"} 3');
  expect(lines.filter((line) => line.startsWith('# TYPE'))).toEqual([
    '# TYPE http_requests_total counter',
    '# TYPE http_request_duration_seconds histogram',
  ]);
  expect(meter.text().endsWith('\n')).toBe(true);
});

test('the buckets of a histogram are cumulative', () => {
  const meter = requestMeter();
  for (let i = 0; i < 1000; i++) meter.observe('GET', '/a', 200, i / 100);
  const counts = [...meter.text().matchAll(/_bucket\{.*\} (\d+)/g)].map(([, count]) => Number(count));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(1000);
});

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
