import type { Sample, Samples } from '../group/samples.ts';

export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number };
  readonly counts: number[];
  sum: number;
}

/** Counts requests and their seconds by method, route and status. */
export interface RequestMeter {
  observe(method: string, route: string, status: number, seconds: number): void;
  samples(): Samples;
}

/** Counts in plain numbers, because every request is counted. Makes metrics of them only when they are read. */
export function requestMeter(): RequestMeter {
  const methods = new Map<string, Map<string, Map<number, Series>>>();
  const seriesOf = (method: string, route: string, status: number): Series => {
    const routes = ensure(methods, method, () => new Map<string, Map<number, Series>>());
    const statuses = ensure(routes, route, () => new Map<number, Series>());
    return ensure(statuses, status, () => newSeries(method, route, status));
  };
  return {
    observe(method, route, status, seconds) {
      const series = seriesOf(method, route, status);
      const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
      const index = bucket === -1 ? BUCKETS.length : bucket;
      series.counts[index] = (series.counts[index] ?? 0) + 1;
      series.sum += seconds;
    },
    samples() {
      const all = [...methods.values()].flatMap((routes) =>
        [...routes.values()].flatMap((s) => [...s.values()]),
      );
      return [counter(all), histogram(all)];
    },
  };
}

function ensure<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}

function newSeries(method: string, route: string, status: number): Series {
  return {
    labels: { method, route, status },
    counts: Array.from({ length: BUCKETS.length + 1 }, () => 0),
    sum: 0,
  };
}

function counter(all: readonly Series[]): Sample {
  return {
    name: 'http_requests_total',
    help: 'Requests; 499 are those whose caller hung up before the answer.',
    type: 'counter',
    aggregator: 'sum',
    values: all.map(({ labels, counts }) => ({ labels, value: total(counts) })),
  };
}

function histogram(all: readonly Series[]): Sample {
  return {
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    type: 'histogram',
    aggregator: 'sum',
    values: all.flatMap(({ labels, counts, sum }) => [
      ...[...BUCKETS, '+Inf'].map((le, i) => ({
        metricName: 'http_request_duration_seconds_bucket',
        labels: { ...labels, le },
        value: total(counts.slice(0, i + 1)),
      })),
      { metricName: 'http_request_duration_seconds_sum', labels, value: sum },
      { metricName: 'http_request_duration_seconds_count', labels, value: total(counts) },
    ]),
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
