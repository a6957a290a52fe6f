import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges named like counters, which Prometheus's linter rejects. Each is the sum of other gauges. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Creates a registry with the default metrics of a Node process. */
export function nodeMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
