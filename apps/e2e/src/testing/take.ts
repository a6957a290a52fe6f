import type { LogEvent, ResetEvent } from '@plugin-config/client';

/** Follows a log until it has sent this many entries. */
export async function take(
  events: AsyncIterable<LogEvent | ResetEvent>,
  count: number,
): Promise<readonly string[]> {
  const taken: string[] = [];
  for await (const { event, data } of events) {
    taken.push(event === 'log' ? data.message : event);
    if (taken.length === count) break;
  }
  return taken;
}
