import {
  grantsProject,
  grantsScope,
  isLive,
  type AccessProbe,
  type Clock,
  type KeyGrant,
} from '@plugin-config/domain';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';

export const KEY_CHECK_MS = 5_000;

interface Dependencies {
  readonly probe: Pick<AccessProbe, 'grants' | 'existing'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The interval between two checks. */
  readonly checkMs?: number | undefined;
}

/** An open stream, or a request that waits for a change. */
export interface OpenForKey {
  readonly key: KeyGrant;
  /** When its session or token expires. */
  readonly endsAt: Date | null;
  /** Null if it is about several projects. */
  readonly projectId: number | null;
  end(reason: 'key_revoked' | 'key_expired' | 'project_deleted'): void;
}

/** Ends streams and waiting requests soon after their key is revoked or expires. */
export interface WatchedKeys {
  add(open: OpenForKey): void;
  remove(open: OpenForKey): void;
}

/** Checks the keys regularly while anything is open. */
export function watchedKeys({ checkMs = KEY_CHECK_MS, ...dependencies }: Dependencies): WatchedKeys {
  const watched = new Set<OpenForKey>();
  let timer: NodeJS.Timeout | null = null;
  let isChecking = false;
  const check = (): void => {
    if (isChecking) return;
    isChecking = true;
    void endInvalidKeys(dependencies, watched).finally(() => (isChecking = false));
  };
  return {
    add(open) {
      watched.add(open);
      timer ??= setInterval(check, checkMs);
    },
    remove(open) {
      watched.delete(open);
      if (watched.size > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    },
  };
}

/**
 * Ends the streams and waits of revoked and expired keys, of ended sessions and tokens, and of lost projects, with one query for all keys
 * and one for all projects. During a database outage, it only detects expiry; there is nothing to send then anyway. Ends nothing
 * while the time is unknown. Never rejects.
 */
export async function endInvalidKeys(
  { probe, clock, logger }: Dependencies,
  watched: ReadonlySet<OpenForKey>,
): Promise<void> {
  // Those opened during the queries are checked next time.
  const checked = [...watched];
  const keys = new Set(checked.map(({ key }) => key.id));
  const projects = new Set(checked.flatMap(({ projectId }) => projectId ?? []));
  try {
    const [found, existing] = await Promise.all([
      probe.grants([...keys]).catch(() => null),
      probe.existing([...projects]).catch(() => projects),
    ]);
    const now = clock.now();
    for (const open of checked) {
      const key = found === null ? open.key : found.get(open.key.id);
      if (key === undefined || key.revokedAt !== null) open.end('key_revoked');
      else if (!isLive(key, now) || isOver(open, now)) open.end('key_expired');
      else if (open.projectId !== null && !existing.has(open.projectId)) open.end('project_deleted');
      else if (!stillGrants(key, open)) open.end('key_revoked');
    }
  } catch (error) {
    logFailure(logger, {
      error,
      message: 'the keys of open streams and waits could not be checked',
      about: {},
    });
  }
}

/** A trust can lose projects and scopes. */
function stillGrants(key: KeyGrant, { key: { scopes }, projectId }: OpenForKey): boolean {
  const isLost = projectId !== null && !grantsProject(key, projectId);
  return !isLost && scopes.every((scope) => grantsScope(key.scopes, scope));
}

function isOver({ endsAt }: OpenForKey, now: Date): boolean {
  return endsAt !== null && endsAt <= now;
}
