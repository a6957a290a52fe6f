import type { StopSignal, Timer } from '@plugin-config/flow';

/** A signal that nobody aborts. */
export const NEVER: StopSignal = {
  aborted: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
};

/** Waits until all pending promises have settled. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 100; i += 1) await Promise.resolve();
}

/** A timer whose work is due when the test says so. */
export function timerOfTest() {
  const due: (() => void)[] = [];
  const timer: Timer = (work) => {
    due.push(work);
    return () => undefined;
  };
  const pass = async (): Promise<void> => {
    await settle();
    for (const work of due.splice(0)) work();
    await settle();
  };
  return { timer, pass };
}
