import { evaluateAlerts, type AlertEvaluations, type Clock, type TaskQueue } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { AlertMeter } from '../observability/alert-meter.ts';
import type { RunTask } from './run-tasks.ts';

interface Dependencies {
  readonly evaluations: AlertEvaluations;
  readonly tasks: Pick<TaskQueue, 'settle'>;
  readonly clock: Clock;
  readonly alertMeter: AlertMeter;
  readonly logger: Logger;
}

/** Returns a function that evaluates the alerts of a project for a while. */
export function runAlertTask({ evaluations, tasks, clock, alertMeter, logger }: Dependencies): RunTask {
  const meter: Parameters<typeof evaluateAlerts>[0]['meter'] = {
    evaluated: (seconds) => alertMeter.evaluated(seconds),
    failed: ({ id, projectId }, error) => {
      alertMeter.failed();
      logger.warn({ err: error, projectId, alertId: id }, 'an alert could not be evaluated');
    },
  };
  const dependencies = { evaluations, clock, meter, elapsed: () => performance.now() };
  return async (task, signal) => {
    await tasks.settle(task, await evaluateAlerts(dependencies, task, signal));
  };
}
