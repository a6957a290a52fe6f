interface Task {
  left: number;
  readonly done: () => void;
}

export interface SimulatedThread {
  /** Queues work of this many microseconds. */
  add(microseconds: number, done: () => void): void;
}

/** Simulates threads that share cores equally, in microseconds. */
export function simulatedThreads(cores: number) {
  const threads: Task[][] = [];
  const delays: { readonly at: number; readonly done: () => void }[] = [];
  let now = 0;
  return {
    now: (): number => now,

    start(): SimulatedThread {
      const tasks: Task[] = [];
      threads.push(tasks);
      return { add: (left, done) => tasks.push({ left, done }) };
    },

    delay(microseconds: number, done: () => void): void {
      const at = now + microseconds;
      const next = delays.findIndex((other) => other.at > at);
      delays.splice(next === -1 ? delays.length : next, 0, { at, done });
    },

    /** Advances to the end of the next task or delay. */
    step(): void {
      const running = threads
        .filter(({ length }) => length > 0)
        .map((tasks) => ({ tasks, task: tasks[0] as Task }));
      const speed = Math.min(1, cores / running.length);
      const untilTask = Math.min(...running.map(({ task }) => task.left / speed));
      const untilDelay = (delays[0]?.at ?? Infinity) - now;
      const passed = Math.min(untilTask, untilDelay);
      if (passed === Infinity) throw new Error('No work is left.');
      now += passed;
      for (const { task } of running) task.left -= passed * speed;
      if (untilDelay <= untilTask) delays.shift()?.done();
      for (const { tasks, task } of running) {
        if (task.left > 1e-6) continue;
        tasks.shift();
        task.done();
      }
    },
  };
}
