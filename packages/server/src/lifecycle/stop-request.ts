/** A terminal's Ctrl-C may arrive twice, from the terminal and from npm: only a later one is a second. */
const SAME_SIGNAL_MS = 1000;

/**
 * Resolves when a signal asks to stop, or when whoever started us is gone. A second signal ends the process there
 * and then.
 */
export function stopRequest(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAt: number | null = null;
  const onSignal = (): void => {
    if (askedAt !== null && performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
    askedAt ??= performance.now();
    resolve();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  if (process.channel) process.once('disconnect', resolve);
  return promise;
}
