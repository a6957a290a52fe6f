import { fileURLToPath } from 'node:url';

interface OtherClock {
  readonly aheadMs: number;
  /** The signal that sets the clock. */
  readonly on: NodeJS.Signals;
}

/** Returns the environment of a process with a wrong wall clock. Its monotonic clock is unaffected. */
export function otherClock({ aheadMs, on }: OtherClock): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}`,
    CLOCK_AHEAD_MS: String(aheadMs),
    CLOCK_AHEAD_ON: on,
  };
}

function setClock(aheadMs: number): void {
  globalThis.Date = new Proxy(Date, {
    construct: (target, given: readonly unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [target.now() + aheadMs] : given, newTarget) as object,
    get: (target, property, receiver) =>
      property === 'now'
        ? () => target.now() + aheadMs
        : (Reflect.get(target, property, receiver) as unknown),
  });
}

const { CLOCK_AHEAD_MS: ahead, CLOCK_AHEAD_ON: signal } = process.env;
if (ahead !== undefined && signal !== undefined) process.on(signal, () => setClock(Number(ahead)));
