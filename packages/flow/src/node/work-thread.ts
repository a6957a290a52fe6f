import { parentPort, Worker, type Transferable } from 'node:worker_threads';
import { fairQueue } from '../fair-queue.ts';
import type { WaitLimit } from '../permits.ts';
import { nodeTimer } from './node-timer.ts';

/** A thread for long pure work. It runs one task at a time; the tenant that has used the least time goes first. */
export interface WorkThread {
  /** Runs a task of the thread. Rejects at the deadline, and when the signal is aborted, unless the task has begun. */
  run(task: Task): Promise<unknown>;
}

export interface Task {
  readonly tenant: number;
  /** The name under which the thread serves it. */
  readonly name: string;
  /** Called when it is the task's turn. */
  readonly input: () => Message;
  readonly until: WaitLimit;
}

/** A value, and its parts that are moved to the other thread instead of copied. */
export interface Message {
  readonly value: unknown;
  readonly moved?: Transferable[];
}

/** An error as it passes between threads, with the fields of its class. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
}

interface Options {
  /** The module of the thread, which calls `serveTasks`. */
  readonly entry: URL;
  readonly errorOf: (plain: PlainError) => Error;
  /** Creates the error for work that has waited too long. */
  readonly tooLate: () => Error;
}

type Result = { readonly value: unknown } | { readonly error: PlainError };

interface QueuedTask extends Task {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** More than any task needs. A thread that needs more ends, without the process. */
const HEAP_MIB = 512;

/** The thread starts with the first task, and again with the first one after it has failed. */
export function workThread({ entry, errorOf, tooLate }: Options): WorkThread {
  const waiting = fairQueue<number, QueuedTask>();
  /** The time that each tenant has used. A new tenant starts with the time of the tenant whose turn it was. */
  const usedMs = new Map<number, number>();
  let now = 0;
  let running: QueuedTask | null = null;
  let startedAt = 0;
  let thread: Worker | null = null;

  const usedBy = (tenant: number): number => Math.max(usedMs.get(tenant) ?? now, now);
  const takeNext = (): QueuedTask | undefined => {
    let [turn, least] = [NaN, Infinity];
    waiting.next((tenant) => {
      if (usedBy(tenant) < least) [turn, least] = [tenant, usedBy(tenant)];
      return false;
    });
    return waiting.next((tenant) => tenant === turn);
  };
  const startNext = (): void => {
    if (running !== null) return;
    const task = takeNext();
    if (task === undefined) return usedMs.clear();
    running = task;
    now = usedBy(task.tenant);
    startedAt = performance.now();
    try {
      const { value, moved = [] } = task.input();
      (thread ??= start()).postMessage({ name: task.name, value }, moved);
    } catch (error) {
      end()?.reject(error as Error);
    }
  };
  const end = (): QueuedTask | null => {
    const task = running;
    if (task === null) return null;
    usedMs.set(task.tenant, now + performance.now() - startedAt);
    running = null;
    startNext();
    return task;
  };
  const start = (): Worker => {
    const started = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } });
    started.unref();
    started.on('message', (result: Result) => {
      const task = end();
      if ('error' in result) task?.reject(errorOf(result.error));
      else task?.resolve(result.value);
    });
    // Running out of memory is an error, too. Every error is followed by an exit.
    let failure = new Error('The thread has ended.');
    started.on('error', (error: Error) => (failure = error));
    started.on('exit', () => {
      thread = null;
      end()?.reject(failure);
    });
    return started;
  };

  return {
    async run(task) {
      const { tenant, until } = task;
      if (until.remainingMs <= 0 || until.signal?.aborted === true) throw tooLate();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const queued = { ...task, resolve, reject };
      const cancelWait = (): void => {
        if (waiting.remove(tenant, queued)) reject(tooLate());
      };
      const cancel = nodeTimer(cancelWait, until.remainingMs);
      until.signal?.addEventListener('abort', cancelWait);
      waiting.add(tenant, queued);
      startNext();
      try {
        return await promise;
      } finally {
        cancel();
        until.signal?.removeEventListener('abort', cancelWait);
      }
    },
  };
}

/** Serves tasks by name. Called by the module of a thread. */
export function serveTasks(tasks: Readonly<Record<string, (input: never) => Message>>): void {
  parentPort?.on('message', ({ name, value }: { readonly name: string; readonly value: never }) => {
    try {
      const result = tasks[name]?.(value);
      parentPort?.postMessage({ value: result?.value } satisfies Result, result?.moved ?? []);
    } catch (error) {
      parentPort?.postMessage({ error: plainOf(error) } satisfies Result, []);
    }
  });
}

/** Copies the fields of an error and of the errors it contains. They are lost between threads. */
function plainOf(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  const { errors } = error as { readonly errors?: unknown };
  const inner = Array.isArray(errors) && { errors: errors.map(plainOf) };
  return Object.assign({}, error, { name, message }, inner);
}
