import { runJob, type JobRunStore, type TaskQueue } from '@plugin-config/domain';
import { failSpan, inSpan } from '@plugin-config/tracing';
import type { Logger } from 'pino';
import type { RunTask } from './run-tasks.ts';

interface Dependencies {
  readonly jobRuns: JobRunStore;
  readonly tasks: Pick<TaskQueue, 'settle'>;
  readonly requireRegistered: boolean;
  readonly logger: Logger;
}

export function runJobTask({ tasks, logger, ...dependencies }: Dependencies): RunTask {
  return async (task) => {
    const job = await dependencies.jobRuns.begin(task);
    if (job === null) {
      await tasks.settle(task, null);
      return;
    }
    const attributes = {
      'plugin_config.job_id': job.id,
      'plugin_config.job_attempt': job.attempts,
      'plugin_config.project_id': job.record.projectId,
      'plugin_config.record_id': job.record.id,
    };
    await inSpan([], { name: 'job', kind: 'consumer', attributes }, async (span) => {
      const state = await runJob(dependencies, job);
      if (span !== null && (state === 'queued' || state === 'failed')) failSpan(span, 'attempt_failed');
      const about = { job_id: job.id, record_id: job.record.id, attempt: job.attempts };
      logger.info({ ...about, request_id: job.requestId, state }, 'a job attempt ended');
    });
  };
}
