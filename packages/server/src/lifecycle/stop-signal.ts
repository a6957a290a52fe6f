import { isatty } from 'node:tty';

/** A single Ctrl-C can arrive twice, from the terminal and from npm. Signals within this time count as one. */
const SAME_SIGNAL_MS = 1000;

const STANDARD_INPUT = 0;

/**
 * Resolves on the first stop signal, or when the parent process is gone. A second signal ends the process immediately. SIGHUP counts
 * only in a terminal, where it means that the terminal was closed; otherwise it is ignored, so `nohup` works.
 */
export function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstAt: number | null = null;
  const onSignal = (): void => {
    if (firstAt !== null && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    firstAt ??= performance.now();
    resolve();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process.on('SIGHUP', isatty(STANDARD_INPUT) ? onSignal : () => undefined);
  process.once('disconnect', resolve);
  return promise;
}
