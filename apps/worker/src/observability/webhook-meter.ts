import { Counter, type Registry } from 'prom-client';
import type { AttemptResult, WebhookMeter } from '../webhooks/run-dispatch-task.ts';

const RESULTS: readonly AttemptResult[] = ['delivered', 'retried', 'failed'];

export function webhookMeter(registry: Registry): WebhookMeter {
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by result.',
    labelNames: ['result'],
    registers: [registry],
  });
  // Prometheus sees no increase in a series that starts above 0.
  for (const result of RESULTS) attempts.inc({ result }, 0);
  return { count: (result) => attempts.inc({ result }) };
}
