import { keepDeadLetters, keepLogs } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { Services } from '../container.ts';
import { every } from '../loops/every.ts';
import { ingestFrom, type IngestMeter } from '../loops/ingest-from.ts';
import { keepGoing, type Loop } from '../loops/keep-going.ts';
import { runJobs } from '../loops/run-jobs.ts';

interface Dependencies extends Services {
  readonly logger: Logger;
  readonly meter: IngestMeter;
}

interface Signals {
  /** Take nothing more from streams, and begin nothing more. */
  readonly stopping: AbortSignal;
  /** Nobody pushes any more. */
  readonly closed: AbortSignal;
}

const RATES_MS = 2_000;
const UPKEEP_MS = 60_000;
/** Often: what comes in meanwhile is over what may be kept. */
const LETTERS_MS = 10_000;

/** Everything that the worker does of itself. Resolves when all of it has come to its end. */
export async function runLoops(dependencies: Dependencies, { stopping, closed }: Signals): Promise<void> {
  const { push, stream, rates, clock, logger } = dependencies;
  const go = (name: string, signal: AbortSignal, run: Loop['run']): Promise<void> =>
    keepGoing({ name, logger, run }, signal);
  await Promise.all([
    go('push', closed, (signal) => ingestFrom(push, dependencies, signal)),
    stream !== null && go('stream', stopping, (signal) => ingestFrom(stream, dependencies, signal)),
    go('jobs', stopping, (signal) => runJobs(dependencies, signal)),
    go('rates', stopping, (signal) => every(RATES_MS, () => rates.refresh(clock.now()), signal)),
    go('upkeep', stopping, (signal) => every(UPKEEP_MS, () => keepLogs(dependencies), signal)),
    go('dead letters', stopping, (signal) => every(LETTERS_MS, () => keepLetters(dependencies), signal)),
  ]);
}

async function keepLetters(dependencies: Dependencies): Promise<void> {
  const { tooMany } = await keepDeadLetters(dependencies);
  if (tooMany > 0) dependencies.logger.warn({ tooMany }, 'too many dead letters: the oldest were dropped');
}
