import { familyNumber, type FamilyRef } from '../project/family.ts';
import type { RuntimeConfigurations, RuntimeVersion } from './runtime-configurations.ts';

/** The maximum number of cached versions, one per family. */
const KEPT_MAX = 10_000;

/** Caches runtime versions, but not the configurations. */
export interface RuntimeVersions {
  /** Returns the cached version of a family at this cache version or later; null if it must be read. */
  kept(family: FamilyRef, cacheVersion: number): RuntimeVersion | null;
  /**
   * Returns the version of a family at this cache version or later. Callers with the same cache version share one
   * read.
   */
  at(family: FamilyRef, cacheVersion: number): Promise<RuntimeVersion>;
  /** Reads the version that is current at the time of the call. */
  current(family: FamilyRef): Promise<RuntimeVersion>;
  /** Reads the version after a wake-up. Callers woken by the same one share one read. */
  after(family: FamilyRef, wakeUp: string): Promise<RuntimeVersion>;
}

export function runtimeVersions({
  configurations,
}: {
  readonly configurations: Pick<RuntimeConfigurations, 'version'>;
}): RuntimeVersions {
  const kept = new Map<number, RuntimeVersion>();
  const reading = new Map<string, Promise<RuntimeVersion>>();

  const keep = (number: number, version: RuntimeVersion): void => {
    if ((kept.get(number)?.cacheVersion ?? -1) > version.cacheVersion) return;
    kept.delete(number);
    kept.set(number, version);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  };
  const read = async (family: FamilyRef): Promise<RuntimeVersion> => {
    const number = familyNumber(family);
    const found = await configurations.version(family, kept.get(number) ?? null);
    keep(number, found);
    return found;
  };
  const shared = (family: FamilyRef, at: string): Promise<RuntimeVersion> => {
    const name = `${familyNumber(family)} ${at}`;
    const started = reading.get(name) ?? read(family).finally(() => reading.delete(name));
    reading.set(name, started);
    return started;
  };
  const find = (family: FamilyRef, cacheVersion: number): RuntimeVersion | null => {
    const found = kept.get(familyNumber(family));
    return found !== undefined && found.cacheVersion >= cacheVersion ? found : null;
  };
  return {
    kept: find,
    at: async (family, cacheVersion) => find(family, cacheVersion) ?? shared(family, `at ${cacheVersion}`),
    current: read,
    after: (family, wakeUp) => shared(family, `after ${wakeUp}`),
  };
}
