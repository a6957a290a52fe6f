export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** The requests with one method to one route. */
interface Series {
  readonly labels: string;
  /** Requests by duration, but not by status, which would multiply the size of a scrape. */
  readonly buckets: number[];
  sum: number;
  readonly statuses: Map<number, number>;
}

/** Counts requests by method, route and status, and measures their duration by method and route. */
export interface RequestMeter {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Returns the metrics in the text format of Prometheus. */
  text(): string;
}

/** Uses plain numbers, because this runs for every request, and formats them only when the metrics are read. */
export function requestMeter(): RequestMeter {
  const methods = new Map<string, Map<string, Series>>();
  return {
    observe(method, route, status, seconds) {
      const routes = ensure(methods, method, () => new Map<string, Series>());
      const series = ensure(routes, route, () => newSeries(method, route));
      const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
      const index = bucket === -1 ? BUCKETS.length : bucket;
      series.buckets[index] = (series.buckets[index] ?? 0) + 1;
      series.sum += seconds;
      series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
    },
    text() {
      return exposition([...methods.values()].flatMap((routes) => [...routes.values()]));
    },
  };
}

function ensure<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = make();
  map.set(key, created);
  return created;
}

function newSeries(method: string, route: string): Series {
  return {
    labels: `method="${method}",route="${route}"`,
    buckets: Array.from({ length: BUCKETS.length + 1 }, () => 0),
    sum: 0,
    statuses: new Map(),
  };
}

function exposition(series: readonly Series[]): string {
  return [
    '# HELP http_requests_total Requests. Status 499 means that the caller hung up before the response.',
    '# TYPE http_requests_total counter',
    ...series.flatMap(({ labels, statuses }) =>
      [...statuses].map(([status, count]) => `http_requests_total{${labels},status="${status}"} ${count}`),
    ),
    '# HELP http_request_duration_seconds Time from a request to the end of its response.',
    '# TYPE http_request_duration_seconds histogram',
    ...series.flatMap(histogram),
    '',
  ].join('\n');
}

function histogram({ labels, buckets, sum }: Series): readonly string[] {
  const name = 'http_request_duration_seconds';
  return [
    ...[...BUCKETS, '+Inf'].map(
      (bound, i) => `${name}_bucket{${labels},le="${bound}"} ${total(buckets.slice(0, i + 1))}`,
    ),
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${total(buckets)}`,
  ];
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
