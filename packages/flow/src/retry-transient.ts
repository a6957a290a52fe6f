import type { StopSignal } from './stop-signal.ts';
import type { Timer } from './timer.ts';

/** The pause after a temporary failure. */
const RETRY_MS = 1_000;

interface Options {
  readonly timer: Timer;
  readonly signal: StopSignal;
  readonly isTransient: (error: unknown) => boolean;
}

/** Retries the work after temporary failures. Resolves to its result, or to undefined once the signal is aborted. */
export async function retryTransient<T>(
  { timer, signal, isTransient }: Options,
  work: () => Promise<T>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await pause(timer, signal);
    }
  }
  return undefined;
}

async function pause(timer: Timer, signal: StopSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = timer(resolve, RETRY_MS);
  signal.addEventListener('abort', resolve);
  await promise;
  cancel();
  signal.removeEventListener('abort', resolve);
}
