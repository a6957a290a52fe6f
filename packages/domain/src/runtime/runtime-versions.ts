import { DomainError } from '../kernel/domain-error.ts';
import { cacheVersionOf, familyNumber, type ReachedVersion } from '../project/family.ts';
import type { RuntimeConfigurations, RuntimeScope, RuntimeVersion } from './runtime-configurations.ts';

/** The maximum number of cached versions, one per scope. */
const KEPT_MAX = 10_000;

/** Caches runtime versions, but not the configurations. */
export interface RuntimeVersions {
  /** Returns the cached version of a family at these versions or later; null if it must be read. */
  kept(scope: RuntimeScope, at: ReachedVersion): RuntimeVersion | null;
  /** Returns the version of a family at these versions or later. Callers with the same versions share one read. */
  at(scope: RuntimeScope, at: ReachedVersion): Promise<RuntimeVersion>;
  /** Reads the version that is current at the time of the call. */
  current(scope: RuntimeScope): Promise<RuntimeVersion>;
  /** Reads the version after a wake-up. Callers woken by the same one share one read. */
  after(scope: RuntimeScope, wakeUp: string): Promise<RuntimeVersion>;
}

export function runtimeVersions({
  configurations,
}: {
  readonly configurations: Pick<RuntimeConfigurations, 'version'>;
}): RuntimeVersions {
  const kept = new Map<number | string, RuntimeVersion>();
  const reading = new Map<string, Promise<RuntimeVersion>>();

  const keep = (name: number | string, version: RuntimeVersion): void => {
    const known = kept.get(name);
    if (known !== undefined && cacheVersionOf(known) > cacheVersionOf(version)) return;
    kept.delete(name);
    kept.set(name, version);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  };
  const read = async (scope: RuntimeScope): Promise<RuntimeVersion> => {
    const name = scopeName(scope);
    const found = await configurations.version(scope, kept.get(name) ?? null);
    keep(name, found);
    return found;
  };
  const shared = (scope: RuntimeScope, at: string): Promise<RuntimeVersion> => {
    const name = `${scopeName(scope)} ${at}`;
    const started = reading.get(name) ?? read(scope).finally(() => reading.delete(name));
    reading.set(name, started);
    return started;
  };
  const find = (scope: RuntimeScope, at: ReachedVersion): RuntimeVersion | null => {
    const found = kept.get(scopeName(scope));
    return found !== undefined && cacheVersionOf(found) >= cacheVersionOf(at) ? found : null;
  };
  return {
    kept: find,
    at: async (scope, at) => find(scope, at) ?? shared(scope, `at ${cacheVersionOf(at)}`),
    current: read,
    after: (scope, wakeUp) => shared(scope, `after ${wakeUp}`),
  };
}

/** Returns the version of a family; null if it is too large to be sent to runtimes. */
export async function versionIfSendable(read: () => Promise<RuntimeVersion>): Promise<string | null> {
  try {
    return (await read()).version;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'content_too_large') return null;
    throw error;
  }
}

/** Names a scope. A number is looked up much faster than a text, and most runtimes get all records. */
function scopeName(scope: RuntimeScope): number | string {
  const { plugins = [] } = scope;
  const number = familyNumber(scope);
  return plugins.length === 0 ? number : `${number} of ${plugins.join()}`;
}
