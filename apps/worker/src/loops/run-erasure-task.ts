import { setTimeout as sleep } from 'node:timers/promises';
import { eraseProject, type Eraser, type TaskQueue } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { RunTask } from './run-tasks.ts';

interface Dependencies {
  readonly eraser: Eraser;
  readonly tasks: Pick<TaskQueue, 'settle'>;
  readonly logger: Logger;
}

/** How long a project is erased before the next one gets its turn. */
const SLICE_MS = 1_000;
/** The pause after each chunk, in which other work gets its turn. */
const PAUSE_MS = 50;
const LOCKED_MS = 2_000;

/** Returns a function that erases a deleted project for a while, unless another worker is erasing one or moving logs. */
export function runErasureTask({ tasks, eraser, logger }: Dependencies): RunTask {
  const erase = async (projectId: number, start: number, signal: AbortSignal): Promise<number | 'done'> => {
    const end = performance.now() + SLICE_MS;
    for await (const step of eraseProject({ eraser }, projectId, start)) {
      if (signal.aborted || performance.now() > end) return step;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
    return 'done';
  };
  return async (task, signal) => {
    const { key: projectId, payload } = task;
    const step = await eraser.exclusively(() => erase(projectId, Number(payload ?? 0), signal));
    if (step === 'done') {
      logger.info({ projectId }, 'a deleted project was erased');
      await tasks.settle(task, null);
      return;
    }
    await tasks.settle(task, step === null ? { dueInMs: LOCKED_MS } : { dueInMs: 0, payload: String(step) });
  };
}
