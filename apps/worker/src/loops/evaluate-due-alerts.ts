import { evaluateAlerts, type AlertEvaluations, type Clock } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { AlertMeter } from '../observability/alert-meter.ts';

interface Dependencies {
  readonly evaluations: AlertEvaluations;
  readonly clock: Clock;
  readonly alertMeter: AlertMeter;
  readonly logger: Logger;
}

/** Evaluates the alerts that are due, unless another worker does. */
export function evaluateDueAlerts(
  { evaluations, clock, alertMeter, logger }: Dependencies,
  signal: AbortSignal,
): Promise<void> {
  const meter: Parameters<typeof evaluateAlerts>[0]['meter'] = {
    evaluated: (seconds) => alertMeter.evaluated(seconds),
    failed: ({ id, projectId }, error) => {
      alertMeter.failed();
      logger.warn({ err: error, projectId, alertId: id }, 'an alert could not be evaluated');
    },
  };
  const dependencies = { evaluations, clock, meter, elapsed: () => performance.now() };
  return evaluateAlerts(dependencies, signal);
}
