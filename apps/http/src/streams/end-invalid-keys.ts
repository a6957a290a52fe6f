import { isLive, type AccessProbe, type Clock, type KeyGrant } from '@plugin-config/domain';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';

export interface KeyDependencies {
  readonly probe: Pick<AccessProbe, 'grants'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An open stream, or a request that waits for a change. */
export interface OpenForKey {
  readonly key: KeyGrant;
  readonly sessionEndsAt: Date | null;
  end(reason: 'key_revoked' | 'key_expired'): void;
}

/**
 * Ends the streams of revoked and expired keys and of ended sessions, with one query for all keys. During a database outage, it only
 * detects expiry, and streams have nothing to send anyway. While the time is unknown, no stream ends. Never rejects.
 */
export async function endInvalidKeys(
  { probe, clock, logger }: KeyDependencies,
  byKey: ReadonlyMap<number, ReadonlySet<OpenForKey>>,
): Promise<void> {
  const ids = [...byKey.keys()];
  try {
    const found = await probe.grants(ids).catch(() => null);
    const now = clock.now();
    for (const id of ids) {
      for (const stream of byKey.get(id) ?? []) {
        const key = found === null ? stream.key : found.get(id);
        if (key === undefined || key.revokedAt !== null) stream.end('key_revoked');
        else if (!isLive(key, now) || isOver(stream, now)) stream.end('key_expired');
      }
    }
  } catch (error) {
    logFailure(logger, { error, message: 'the keys of open streams could not be checked', about: {} });
  }
}

function isOver({ sessionEndsAt }: OpenForKey, now: Date): boolean {
  return sessionEndsAt !== null && sessionEndsAt <= now;
}
