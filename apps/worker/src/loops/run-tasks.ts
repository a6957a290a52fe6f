import { setTimeout as sleep } from 'node:timers/promises';
import {
  TASK_KINDS,
  tenantOf,
  type Task,
  type TaskClaim,
  type TaskKind,
  type TaskQueue,
} from '@plugin-config/domain';
import { permits, type Permits } from '@plugin-config/flow';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import { restartOnFailure } from './restart-on-failure.ts';

/** The only task of a kind that recurs. */
const RECURRING = { projectId: 0, accountId: null, key: 0, payload: null } as const;

/** Runs a claimed task, and settles it unless it recurs. A task that fails is put off. Resolves to whether the next task of its key is likely to be slow. */
export type RunTask = (task: Task, signal: AbortSignal) => Promise<{ readonly isSlow: boolean } | void>;

interface Lane {
  readonly kind: TaskKind;
  /** Begins due tasks while there are slots. Resolves to their number. */
  fill(): Promise<number>;
}

export interface TaskRunnerDependencies {
  readonly tasks: TaskQueue;
  /** Kinds without a function are left to other processes. */
  readonly runners: Readonly<Partial<Record<TaskKind, RunTask>>>;
  readonly logger: Logger;
}

const CLAIMED_AT_ONCE = 32;
/** The number of slow keys that are remembered for each kind. */
const SLOW_MAX = 10_000;
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

  const attempt = async (runTask: RunTask, task: Task): Promise<boolean> => {
    try {
      const { isSlow = false } = (await runTask(task, signal)) ?? {};
      const { everyMs } = TASK_KINDS[task.kind];
      if (everyMs !== null) await tasks.settle(task, { dueInMs: everyMs });
      return isSlow;
    } catch (error) {
      const about = { kind: task.kind, project_id: task.projectId, attempt: task.attempts };
      logFailure(logger, { error, message: 'a task failed and will be repeated', about });
      await tasks.settle(task, { dueInMs: waitOf(task) }).catch(() => undefined);
      return false;
    }
  };

  /** Returns the lanes of a kind: for most keys, and for slow keys. */
  const lanesOf = (kind: TaskKind, runTask: RunTask): readonly Lane[] => {
    const { slots, reserve, slowSlots } = TASK_KINDS[kind];
    const slow = new Set<number>();
    const note = ({ key }: Task, isSlow: boolean): void => {
      slow.delete(key);
      if (isSlow) slow.add(key);
      const [oldest] = slow;
      if (slow.size > SLOW_MAX && oldest !== undefined) slow.delete(oldest);
    };
    const lane = (free: Permits, keys: () => Pick<TaskClaim, 'exceptKeys' | 'onlyKeys'> | null): Lane => ({
      kind,
      fill: async () => {
        const which = keys();
        if (free.free === 0 || which === null) return 0;
        const limit = Math.min(free.free, CLAIMED_AT_ONCE);
        const claimed = await tasks.claim(kind, { limit, exceptTenants: free.full, ...which });
        // One claim may bring a tenant more tasks than it gets slots.
        const admitted = claimed.filter((task) => {
          const isAdmitted = free.take(tenantOf(task));
          if (!isAdmitted) tasks.settle(task, { dueInMs: 0 }).catch(() => undefined);
          return isAdmitted;
        });
        for (const task of admitted) {
          const attempted = attempt(runTask, task)
            .then((isSlow) => note(task, isSlow))
            .finally(() => {
              running.delete(attempted);
              free.give(tenantOf(task));
              ended.resolve();
            });
          running.add(attempted);
        }
        return admitted.length;
      },
    });
    return [
      lane(permits(slots, reserve), () => ({ exceptKeys: [...slow] })),
      lane(permits(slowSlots), () => (slow.size === 0 ? null : { onlyKeys: [...slow] })),
    ];
  };
  const kinds = Object.keys(runners) as TaskKind[];
  const recurring = kinds.filter((kind) => TASK_KINDS[kind].everyMs !== null);
  const lanes = Object.entries(runners).flatMap(([kind, runTask]) => lanesOf(kind as TaskKind, runTask));

  const run = async (stopping: AbortSignal): Promise<void> => {
    for (const kind of recurring) await tasks.ensure({ ...RECURRING, kind });
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
