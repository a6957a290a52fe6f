import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges of the library with names of counters, which Prometheus's linter rejects. They are the sums of others that it has. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** A registry with the metrics of any process of Node. */
export function nodeMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
