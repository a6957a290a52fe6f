import {
  cursorAt,
  DomainError,
  invalidCredential,
  type FamilyFeeds,
  type FamilyRef,
  type RuntimeVersion,
  type RuntimeVersions,
} from '@plugin-config/domain';
import { accessOf, accountOf, leaveGate } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WatchedKeys } from '../streams/watched-keys.ts';

interface Dependencies {
  readonly feeds: FamilyFeeds;
  readonly versions: Pick<RuntimeVersions, 'after'>;
  readonly keys: WatchedKeys;
}

export interface Waiting {
  readonly family: FamilyRef;
  readonly version: RuntimeVersion;
  readonly seconds: number;
}

/** The requests that wait for another version. */
export interface RuntimeWaits {
  /**
   * Resolves to another version once there is one, or to the same one when the time is up, the caller hangs up or the service stops.
   * @throws DomainError `throttled` or `busy` if too many requests wait
   * @throws DomainError `authentication_failed` once the key is no longer valid
   */
  untilOther(request: FastifyRequest, reply: FastifyReply, waiting: Waiting): Promise<RuntimeVersion>;
  /** Ends all waits, and allows no new ones. */
  shutDown(): void;
}

export function runtimeWaits({ feeds, versions, keys }: Dependencies): RuntimeWaits {
  const stops = new Set<() => void>();
  let isShutDown = false;

  return {
    async untilOther(request, reply, { family, version, seconds }) {
      if (isShutDown) return version;
      const place = request.server.gate.waits.reservation(accountOf(request));
      const result = place.take(1);
      if (result !== 'granted') throw result === 'share exceeded' ? tooManyOfAccount() : tooMany();
      leaveGate(request);
      const { key, timelineId, registryVersion, familyVersion } = accessOf(request);
      const ending = new AbortController();
      const stop = (): void => ending.abort();
      // Sessions cannot wait.
      const wait = { key, sessionEndsAt: null, end: () => ending.abort(invalidCredential()) };
      const timeUp = setTimeout(stop, seconds * 1000);
      reply.raw.once('close', stop);
      stops.add(stop);
      keys.add(wait);
      try {
        if (reply.raw.destroyed) return version;
        const at = { timelineId, registryVersion, familyVersion };
        for await (const page of feeds.after({ ...family, ...at }, cursorAt(at), ending.signal)) {
          const current = await versions.after(family, page.cursor);
          if (current.version !== version.version) return current;
        }
        const { reason } = ending.signal as { readonly reason: unknown };
        if (reason instanceof DomainError) throw reason;
        return version;
      } finally {
        clearTimeout(timeUp);
        reply.raw.off('close', stop);
        stops.delete(stop);
        keys.remove(wait);
        place.release();
      }
    },
    shutDown() {
      isShutDown = true;
      for (const stop of stops) stop();
    },
  };
}

function tooManyOfAccount(): DomainError {
  const message = 'This account has too many requests that wait for a change: send fewer at a time.';
  return new DomainError('throttled', message, { retryAfterSeconds: 15 });
}

function tooMany(): DomainError {
  return new DomainError('busy', 'Too many requests wait. Try again later.', { retryAfterSeconds: 5 });
}
