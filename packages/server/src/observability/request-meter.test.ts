import { expect, test } from 'vitest';
import { requestMeter } from './request-meter.ts';

test('requests are told as Prometheus reads them', () => {
  const meter = requestMeter();
  meter.observe('GET', '/a', 200, 0.0005);
  meter.observe('GET', '/a', 200, 0.3);
  meter.observe('GET', '/a', 200, 60);
  meter.observe('POST', 'unknown', 404, 0.001);
  const lines = meter.text().split('\n');
  expect(lines).toContain('http_requests_total{method="GET",route="/a",status="200"} 3');
  expect(lines).toContain('http_requests_total{method="POST",route="unknown",status="404"} 1');
  const bucket = (le: string): string =>
    `http_request_duration_seconds_bucket{method="GET",route="/a",status="200",le="${le}"}`;
  expect(lines).toContain(`${bucket('0.001')} 1`);
  expect(lines).toContain(`${bucket('0.25')} 1`);
  expect(lines).toContain(`${bucket('0.5')} 2`);
  expect(lines).toContain(`${bucket('10')} 2`);
  expect(lines).toContain(`${bucket('+Inf')} 3`);
  expect(lines).toContain('http_request_duration_seconds_sum{method="GET",route="/a",status="200"} 60.3005');
  expect(lines).toContain('http_request_duration_seconds_count{method="GET",route="/a",status="200"} 3');
  expect(lines.filter((line) => line.startsWith('# TYPE'))).toEqual([
    '# TYPE http_requests_total counter',
    '# TYPE http_request_duration_seconds histogram',
  ]);
  expect(meter.text().endsWith('\n')).toBe(true);
});

test('a histogram counts up and never down', () => {
  const meter = requestMeter();
  for (let i = 0; i < 1000; i++) meter.observe('GET', '/a', 200, i / 100);
  const counts = [...meter.text().matchAll(/_bucket\{.*\} (\d+)/g)].map(([, count]) => Number(count));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(1000);
});
