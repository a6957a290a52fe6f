import { Counter, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface AlertMeter {
  evaluated(seconds: number): void;
  failed(): void;
}

/** Counts evaluations of alerts by outcome, and measures the successful evaluations. */
export function alertMeter(registry: Registry): AlertMeter {
  const registers = [registry];
  const evaluations = new Counter({
    name: 'alert_evaluations_total',
    help: 'Evaluations of alerts by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'alert_evaluation_duration_seconds',
    help: 'Time to evaluate an alert for all its records, excluding the time spent on other projects.',
    buckets: SECONDS,
    registers,
  });
  // Prometheus sees no increase in a series that starts above 0, and would miss the first failure.
  for (const outcome of ['evaluated', 'failed']) evaluations.inc({ outcome }, 0);
  return {
    evaluated(duration) {
      evaluations.inc({ outcome: 'evaluated' });
      seconds.observe(duration);
    },
    failed: () => evaluations.inc({ outcome: 'failed' }),
  };
}
