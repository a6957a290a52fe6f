import { DomainError, skewProblem, type ClockReading } from '@plugin-config/domain';
import { CannotStart } from './cannot-start.ts';

/** A database that is out of reach may be there in a moment: that is for readiness to tell. */
export async function refuseWrongClock(read: () => Promise<ClockReading>): Promise<void> {
  const reading = await read().catch(unlessUnavailable);
  const problem = reading && skewProblem(reading);
  if (problem !== null) throw new CannotStart(problem);
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof DomainError && error.code === 'unavailable') return null;
  throw error;
}
