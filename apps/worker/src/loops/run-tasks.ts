import { setTimeout as sleep } from 'node:timers/promises';
import { TASK_KINDS, tenantOf, type Task, type TaskKind, type TaskQueue } from '@plugin-config/domain';
import { permits } from '@plugin-config/flow';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import { restartOnFailure } from './restart-on-failure.ts';

/** The task that archives. */
const ARCHIVE = { kind: 'archive', projectId: 0, accountId: null, key: 0, payload: null } as const;

/** Runs and settles a claimed task. A task that fails is put off. */
export type RunTask = (task: Task, signal: AbortSignal) => Promise<void>;

export interface TaskRunnerDependencies {
  readonly tasks: TaskQueue;
  /** Kinds without a function are left to other processes. */
  readonly runners: Readonly<Partial<Record<TaskKind, RunTask>>>;
  readonly logger: Logger;
}

const CLAIMED_AT_ONCE = 32;
const PAUSE_MS = 250;
const STOP_AFTER_MS = 3_000;
const FIRST_WAIT_MS = 1_000;

/**
 * Polls for due tasks of all kinds and runs them, each kind in its own slots. Tasks that are still running soon after the signal is
 * aborted are abandoned: they are claimed again after their lease.
 */
export async function runTasks(
  { tasks, runners, logger }: TaskRunnerDependencies,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let ended = Promise.withResolvers<void>();

  const attempt = async (runTask: RunTask, task: Task): Promise<void> => {
    try {
      await runTask(task, signal);
    } catch (error) {
      const about = { kind: task.kind, project_id: task.projectId, attempt: task.attempts };
      logFailure(logger, { error, message: 'a task failed and will be repeated', about });
      await tasks.settle(task, { dueInMs: waitOf(task) }).catch(() => undefined);
    }
  };

  const putBack = (task: Task): void => {
    tasks.settle(task, { dueInMs: 0 }).catch(() => undefined);
  };

  const lanes = Object.entries(runners).map(([name, runTask]) => {
    const kind = name as TaskKind;
    const slots = permits(TASK_KINDS[kind].slots, TASK_KINDS[kind].reserve);
    const begin = (task: Task): void => {
      const tenant = tenantOf(task);
      // One claim may bring a tenant more tasks than it gets slots.
      const isAdmitted = slots.take(tenant);
      if (!isAdmitted) return putBack(task);
      const attempted = attempt(runTask, task).finally(() => {
        running.delete(attempted);
        slots.give(tenant);
        ended.resolve();
      });
      running.add(attempted);
    };
    return {
      kind,
      /** Begins due tasks while there are slots. Returns the number. */
      fill: async (): Promise<number> => {
        if (slots.free === 0) return 0;
        const claimed = await tasks.claim(kind, {
          limit: Math.min(slots.free, CLAIMED_AT_ONCE),
          exceptTenants: slots.full,
        });
        claimed.forEach(begin);
        return claimed.length;
      },
    };
  });

  const run = async (stopping: AbortSignal): Promise<void> => {
    if (runners.archive !== undefined) await tasks.ensure(ARCHIVE);
    while (!stopping.aborted) {
      ended = Promise.withResolvers();
      const due = await tasks.wake();
      let begun = 0;
      for (const { kind, fill } of lanes) if (due.has(kind)) begun += await fill();
      if (begun > 0) continue;
      await Promise.race([
        sleep(PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined),
        ended.promise,
      ]);
    }
  };
  await restartOnFailure({ name: 'tasks', logger, run }, signal);
  await Promise.race([Promise.all(running), sleep(STOP_AFTER_MS, undefined, { ref: false })]);
}

/** Returns how long a task waits after a failure: longer each time. */
function waitOf({ kind, attempts }: Task): number {
  return Math.min(TASK_KINDS[kind].longestWaitMs, FIRST_WAIT_MS * 2 ** Math.min(attempts, 20));
}
