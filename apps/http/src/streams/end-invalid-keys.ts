import { isLive, type AccessProbe, type Clock, type KeyGrant } from '@plugin-config/domain';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';

export interface KeyDependencies {
  readonly probe: Pick<AccessProbe, 'grants' | 'existing'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An open stream, or a request that waits for a change. */
export interface OpenForKey {
  readonly key: KeyGrant;
  readonly sessionEndsAt: Date | null;
  readonly projectId: number;
  end(reason: 'key_revoked' | 'key_expired' | 'project_deleted'): void;
}

/**
 * Ends the streams and waits of revoked and expired keys, of ended sessions, and of deleted projects, with one query for all keys
 * and one for all projects. During a database outage, it only detects expiry; there is nothing to send then anyway. Ends nothing
 * while the time is unknown. Never rejects.
 */
export async function endInvalidKeys(
  { probe, clock, logger }: KeyDependencies,
  byKey: ReadonlyMap<number, ReadonlySet<OpenForKey>>,
): Promise<void> {
  // Those opened during the queries are checked next time.
  const checked = [...byKey.values()].flatMap((all) => [...all]);
  const projects = new Set(checked.map(({ projectId }) => projectId));
  try {
    const [found, existing] = await Promise.all([
      probe.grants([...byKey.keys()]).catch(() => null),
      probe.existing([...projects]).catch(() => projects),
    ]);
    const now = clock.now();
    for (const open of checked) {
      const key = found === null ? open.key : found.get(open.key.id);
      if (key === undefined || key.revokedAt !== null) open.end('key_revoked');
      else if (!isLive(key, now) || isOver(open, now)) open.end('key_expired');
      else if (!existing.has(open.projectId)) open.end('project_deleted');
    }
  } catch (error) {
    logFailure(logger, {
      error,
      message: 'the keys of open streams and waits could not be checked',
      about: {},
    });
  }
}

function isOver({ sessionEndsAt }: OpenForKey, now: Date): boolean {
  return sessionEndsAt !== null && sessionEndsAt <= now;
}
