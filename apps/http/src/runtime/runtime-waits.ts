import {
  DomainError,
  invalidCredential,
  projectNotFound,
  waitMs,
  type Randomness,
} from '@plugin-config/domain';
import type { Timeline } from '@plugin-config/persistence';
import { accessOf, accountOf, leaveGate } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import type { OpenForKey, WatchedKeys } from '../streams/watched-keys.ts';

interface Dependencies {
  readonly keys: WatchedKeys;
  readonly randomness: Pick<Randomness, 'bytes'>;
}

/** The long polls: requests that wait for a change. */
export interface RuntimeWaits {
  /**
   * Runs work that ends soon after the signal is aborted: after the time, a disconnect, a failover or a shutdown.
   * @throws DomainError `throttled` or `busy` if too many requests are waiting
   * @throws DomainError `authentication_failed` if the key is no longer valid, `project_not_found` if the project is deleted
   */
  during<T>(reply: FastifyReply, seconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends all waits; later requests do not wait. */
  shutDown(): void;
}

export function runtimeWaits({ keys, randomness }: Dependencies): RuntimeWaits {
  const stops = new Map<() => void, Timeline>();
  let isShutDown = false;
  /** One listener for all waits of a timeline: each further listener on a signal is compared with all others. */
  const stopFailedOver = (): void => {
    for (const [stop, { ended }] of stops) if (ended.aborted) stop();
  };

  return {
    async during({ request, raw }, seconds, work) {
      if (isShutDown) return work(AbortSignal.abort());
      const permit = request.server.gate.waits.reservation(accountOf(request));
      const result = permit.take(1);
      if (result !== 'granted') throw result === 'share exceeded' ? tooManyWaitsOfAccount() : tooManyWaits();
      leaveGate(request);
      const { key, endsAt, projectId, timeline } = accessOf(request);
      const ending = new AbortController();
      const stop = (): void => ending.abort();
      const end: OpenForKey['end'] = (reason) =>
        ending.abort(reason === 'project_deleted' ? projectNotFound() : invalidCredential());
      const wait = { key, endsAt, projectId: projectId === 0 ? null : projectId, end };
      const timeUp = setTimeout(stop, waitMs(seconds, randomness));
      raw.once('close', stop);
      timeline.ended.addEventListener('abort', stopFailedOver);
      stops.set(stop, timeline);
      keys.add(wait);
      try {
        if (raw.destroyed || timeline.ended.aborted) stop();
        const found = await work(ending.signal);
        const { reason } = ending.signal as { readonly reason: unknown };
        if (reason instanceof DomainError) throw reason;
        return found;
      } finally {
        clearTimeout(timeUp);
        raw.off('close', stop);
        stops.delete(stop);
        keys.remove(wait);
        permit.release();
      }
    },
    shutDown() {
      isShutDown = true;
      for (const stop of stops.keys()) stop();
    },
  };
}

function tooManyWaitsOfAccount(): DomainError {
  const message = 'This account has too many requests waiting for a change. Send fewer at a time.';
  return new DomainError('throttled', message, { retryAfterSeconds: 15 });
}

function tooManyWaits(): DomainError {
  return new DomainError('busy', 'Too many requests are waiting. Try again later.', { retryAfterSeconds: 5 });
}
