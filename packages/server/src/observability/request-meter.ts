export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Series {
  readonly labels: string;
  readonly counts: number[];
  sum: number;
}

/** Counts requests and their seconds by method, route and status. */
export interface RequestMeter {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** The figures in the text format of Prometheus. */
  text(): string;
}

/** Counts in plain numbers, because every request is counted. Formats them only when the metrics are read. */
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
    text() {
      return exposition(
        [...methods.values()].flatMap((routes) => [...routes.values()].flatMap((s) => [...s.values()])),
      );
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
  const labels = `method="${method}",route="${route}",status="${status}"`;
  return { labels, counts: Array.from({ length: BUCKETS.length + 1 }, () => 0), sum: 0 };
}

function exposition(series: readonly Series[]): string {
  return [
    '# HELP http_requests_total Requests; 499 are those whose caller hung up before the answer.',
    '# TYPE http_requests_total counter',
    ...series.map(({ labels, counts }) => `http_requests_total{${labels}} ${total(counts)}`),
    '# HELP http_request_duration_seconds Time from a request to the end of its answer.',
    '# TYPE http_request_duration_seconds histogram',
    ...series.flatMap(histogram),
    '',
  ].join('\n');
}

function histogram({ labels, counts, sum }: Series): readonly string[] {
  const name = 'http_request_duration_seconds';
  return [
    ...[...BUCKETS, '+Inf'].map(
      (bound, i) => `${name}_bucket{${labels},le="${bound}"} ${total(counts.slice(0, i + 1))}`,
    ),
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${total(counts)}`,
  ];
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
