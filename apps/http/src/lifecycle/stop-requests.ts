/** A terminal's Ctrl-C may arrive twice, from the terminal and from npm: only a later one is a second. */
const SAME_SIGNAL_MS = 1000;

/**
 * Calls `stop` once, when a signal asks for it or when whoever started us is gone; a second signal ends the process
 * there and then.
 */
export function onStopRequest(stop: () => void): void {
  let askedAt: number | null = null;
  const ask = (): void => {
    if (askedAt === null) stop();
    askedAt ??= performance.now();
  };
  const onSignal = (): void => {
    if (askedAt !== null && performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
    ask();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  if (process.channel) process.once('disconnect', ask);
}
