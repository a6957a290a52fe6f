import {
  cursorAt,
  DomainError,
  invalidCredential,
  projectNotFound,
  type FamilyFeeds,
  type FamilyRef,
  type RuntimeVersion,
  type RuntimeVersions,
} from '@plugin-config/domain';
import { accessOf, accountOf, leaveGate } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenForKey, WatchedKeys } from '../streams/watched-keys.ts';

interface Dependencies {
  readonly feeds: (request: FastifyRequest) => FamilyFeeds;
  readonly versions: (request: FastifyRequest) => Pick<RuntimeVersions, 'after'>;
  readonly keys: WatchedKeys;
}

export interface Waiting {
  readonly family: FamilyRef;
  readonly version: RuntimeVersion;
  readonly seconds: number;
}

/** The long polls: requests that wait for a new version. */
export interface RuntimeWaits {
  /**
   * Resolves to the new version, or to the same one after a timeout, a disconnect, a failover or a shutdown.
   * @throws DomainError `throttled` or `busy` if too many requests are waiting
   * @throws DomainError `authentication_failed` if the key is no longer valid, `project_not_found` if the project is deleted
   */
  untilChanged(request: FastifyRequest, reply: FastifyReply, waiting: Waiting): Promise<RuntimeVersion>;
  /** Ends all waits; later requests do not wait. */
  shutDown(): void;
}

export function runtimeWaits({ feeds, versions, keys }: Dependencies): RuntimeWaits {
  const stops = new Set<() => void>();
  let isShutDown = false;

  return {
    async untilChanged(request, reply, { family, version, seconds }) {
      if (isShutDown) return version;
      const permit = request.server.gate.waits.reservation(accountOf(request));
      const result = permit.take(1);
      if (result !== 'granted') throw result === 'share exceeded' ? tooManyWaitsOfAccount() : tooManyWaits();
      leaveGate(request);
      const { key, projectId, timeline, registryVersion, familyVersion } = accessOf(request);
      const ending = new AbortController();
      const stop = (): void => ending.abort();
      // Sessions cannot wait.
      const end: OpenForKey['end'] = (reason) =>
        ending.abort(reason === 'project_deleted' ? projectNotFound() : invalidCredential());
      const wait = { key, sessionEndsAt: null, projectId, end };
      const timeUp = setTimeout(stop, seconds * 1000);
      reply.raw.once('close', stop);
      timeline.ended.addEventListener('abort', stop);
      stops.add(stop);
      keys.add(wait);
      try {
        if (reply.raw.destroyed || timeline.ended.aborted) return version;
        const at = { registryVersion, familyVersion };
        for await (const page of feeds(request).after({ ...family, ...at }, cursorAt(at), ending.signal)) {
          const current = await versions(request).after(family, page.cursor);
          if (current.version !== version.version) return current;
        }
        const { reason } = ending.signal as { readonly reason: unknown };
        if (reason instanceof DomainError) throw reason;
        return version;
      } finally {
        clearTimeout(timeUp);
        reply.raw.off('close', stop);
        timeline.ended.removeEventListener('abort', stop);
        stops.delete(stop);
        keys.remove(wait);
        permit.release();
      }
    },
    shutDown() {
      isShutDown = true;
      for (const stop of stops) stop();
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
