import {
  takesFrom,
  type ClaimedJob,
  type LaneFilter,
  type OpenLane,
  type PluginJobStore,
} from '@plugin-config/domain';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';

/** A runtime that waits for jobs. */
interface Waiter {
  readonly filter: LaneFilter;
  readonly limit: number;
  readonly claim: (lanes: readonly OpenLane[]) => Promise<readonly ClaimedJob[]>;
}

interface Waiting extends Waiter {
  /** Equal for equal filters. */
  readonly name: string;
  /** Whether jobs are being taken for it, which must not be lost. */
  isServed: boolean;
  /** Whether its time is over. */
  isOver: boolean;
  readonly resolve: (jobs: readonly ClaimedJob[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The claims that wait in this process. */
export interface WaitingClaims {
  /** Resolves to no jobs when the signal is aborted. */
  wait(waiter: Waiter, signal: AbortSignal): Promise<readonly ClaimedJob[]>;
}

interface Dependencies {
  readonly pluginJobs: Pick<PluginJobStore, 'open'>;
  readonly logger: Logger;
}

/** The pause between polls is `factor` times the duration of the last one, within these limits. */
const POLL = { factor: 10, minMs: 100, maxMs: 1_000 };

/** Polls with one statement for all claims, as long as there are any. */
export function waitingClaims({ pluginJobs, logger }: Dependencies): WaitingClaims {
  const waiting = new Set<Waiting>();
  let isPolling = false;

  /** Those that have waited longest come first. A lane that one of them empties is closed for the others. */
  const serve = async (): Promise<void> => {
    const filters = new Map([...waiting].map(({ name, filter }) => [name, filter]));
    let open = await pluginJobs.open([...filters.values()]);
    for (const waiter of waiting) {
      if (open.length === 0) return;
      const lanes = open.filter((lane) => takesFrom(waiter.filter, lane));
      if (lanes.length === 0) continue;
      waiter.isServed = true;
      try {
        const taken = await waiter.claim(lanes);
        if (taken.length < waiter.limit) open = open.filter((lane) => !lanes.includes(lane));
        if (taken.length > 0 || waiter.isOver) waiter.resolve(taken);
      } catch (error) {
        waiter.reject(error);
      }
      waiter.isServed = false;
    }
  };

  const poll = async (): Promise<void> => {
    const startedAt = performance.now();
    await serve().catch((error: unknown) =>
      logFailure(logger, { error, message: 'looking for jobs failed and will be repeated', about: {} }),
    );
    const pauseMs = Math.min(POLL.maxMs, Math.max(POLL.minMs, POLL.factor * (performance.now() - startedAt)));
    isPolling = waiting.size > 0;
    if (isPolling) setTimeout(() => void poll(), pauseMs);
  };

  return {
    async wait(waiter, signal) {
      if (signal.aborted) return [];
      const { promise, resolve, reject } = Promise.withResolvers<readonly ClaimedJob[]>();
      const { family, plugins, key } = waiter.filter;
      const name = JSON.stringify([family, plugins, key.projectIds]);
      const entry: Waiting = { ...waiter, name, isServed: false, isOver: false, resolve, reject };
      const stop = (): void => {
        entry.isOver = true;
        if (!entry.isServed) resolve([]);
      };
      signal.addEventListener('abort', stop);
      waiting.add(entry);
      if (!isPolling) {
        isPolling = true;
        void poll();
      }
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', stop);
        waiting.delete(entry);
      }
    },
  };
}
