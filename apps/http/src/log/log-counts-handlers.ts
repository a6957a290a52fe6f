import type { subresourceEndpoints, WireLogCounts } from '@plugin-config/contract';
import {
  readLogCounts,
  readProjectLogCounts,
  type Clock,
  type LogCount,
  type LogCounts,
} from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import type { Handler } from '../endpoints/handler.ts';

export interface LogCountsDependencies {
  readonly logCounts: LogCounts;
  readonly clock: Clock;
}

export function logCountsHandler(
  dependencies: LogCountsDependencies,
): Handler<(typeof subresourceEndpoints)['countLogs']> {
  return async ({ reply, record, query }) => {
    await sendRead(reply, presentCounts(await readLogCounts(dependencies, record, query)));
  };
}

export function projectLogCountsHandler(
  dependencies: LogCountsDependencies,
): Handler<(typeof subresourceEndpoints)['countProjectLogs']> {
  return async ({ reply, family: { projectId }, query }) => {
    await sendRead(reply, presentCounts(await readProjectLogCounts(dependencies, projectId, query)));
  };
}

function presentCounts(counts: readonly LogCount[]): WireLogCounts {
  return {
    results: counts.map(({ start, count, types }) => ({ start: start.toISOString(), count, types })),
  };
}
