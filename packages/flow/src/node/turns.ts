/** Resumes at most `max` simultaneous waiters before other events are handled. */
export function turns(max: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let remaining = max;
  let isScheduled = false;

  const next = (): void => {
    isScheduled = false;
    const resumed = waiting.splice(0, max);
    remaining = max - resumed.length;
    for (const resume of resumed) resume();
    if (resumed.length > 0) schedule();
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(next);
  };

  return async () => {
    schedule();
    if (remaining > 0) remaining--;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
  };
}
