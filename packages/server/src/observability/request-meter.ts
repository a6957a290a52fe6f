import { Counter, Histogram, type Registry } from 'prom-client';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Observe = (method: string, route: string, status: number, seconds: number) => void;

/** Returns a function that counts requests by method, route and status, and measures their duration by method and route. */
export function requestMeter(registry: Registry): Observe {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests. Status 499 means that the caller hung up before the response.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    // Not by status, which would multiply the size of a scrape.
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  return (method, route, status, seconds) => {
    requests.inc({ method, route, status });
    durations.observe({ method, route }, seconds);
  };
}
