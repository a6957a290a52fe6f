import type { ServerClock } from '@plugin-config/persistence';
import type { Logger } from 'pino';
import { every } from './every.ts';
import { keepGoing } from './keep-going.ts';

interface Dependencies {
  readonly clock: ServerClock;
  readonly logger: Logger;
}

/** A host's clock that is set, or that stands still while the host sleeps, is noticed within that time. */
const CLOCK_MS = 5_000;

/** Sets the clock by the database's, again and again. */
export function keepClock({ clock, logger }: Dependencies, signal: AbortSignal): Promise<void> {
  const run = (until: AbortSignal) => every(CLOCK_MS, () => clock.set(), until);
  return keepGoing({ name: 'clock', logger, run }, signal);
}
