import type { JsonObject } from '@plugin-config/client';
import { recordPath, type RecordRef } from '../shell/addresses.ts';

/** The type of the jobs that send earlier events again. */
export const REPLAY = 'replay';

/** The parameter of the address that opens the form for a job. */
export const RUN = 'run';

const TIMES = ['from', 'to'] as const;

/** Returns the address of the form that replays what was delivered in a time. */
export const replayPath = (at: RecordRef, from: number, to: number): string =>
  `${recordPath(at)}/jobs?${new URLSearchParams({
    [RUN]: REPLAY,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  })}`;

/** Returns the values in the address with which a payload begins. */
export function givenIn(search: URLSearchParams): JsonObject {
  return Object.fromEntries(TIMES.flatMap((name) => (search.has(name) ? [[name, search.get(name)]] : [])));
}
