import { expect } from 'vitest';
import { keepCalling } from './keep-calling.ts';
import { neighbour, type Neighbour } from './neighbour.ts';
import type { RunningService } from './running-service.ts';

interface Flood {
  readonly callers: number;
  /** The statuses that calls may have. */
  readonly allowed: readonly number[];
  /** The tenant that must not be slowed down; a new one if absent. */
  readonly beside?: Neighbour;
}

/** Calls as `keepCalling` does. Expects no other statuses, and no neighbour to be slowed down. */
export async function flood(
  { tenant }: Pick<RunningService, 'tenant'>,
  { callers, allowed, beside }: Flood,
  call: (n: number) => Promise<{ readonly status: number }>,
): Promise<ReadonlyMap<number, number>> {
  const other = beside ?? (await neighbour(await tenant()));
  const statuses = await keepCalling(callers, async (n) => (await call(n)).status);
  await other.expectUnaffected();
  expect([...statuses.keys()].filter((status) => !allowed.includes(status))).toEqual([]);
  return statuses;
}
