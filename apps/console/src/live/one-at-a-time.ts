/** Never runs the work concurrently. Calls during a run lead to one more run after it. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): void => {
    next = null;
    running = work().finally(() => (running = null));
  };
  return () => {
    if (running === null) run();
    else next ??= running.then(run);
  };
}
