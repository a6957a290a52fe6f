/** Gives turns to many that wake up at once: at most `most` go on before other events are handled. */
export function turns(most: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = most;
  let isScheduled = false;

  const next = (): void => {
    isScheduled = false;
    const resumed = waiting.splice(0, most);
    left = most - resumed.length;
    for (const goOn of resumed) goOn();
    if (resumed.length > 0) schedule();
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(next);
  };

  return async () => {
    schedule();
    if (left > 0) left--;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
  };
}
