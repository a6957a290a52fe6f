import { cacheVersionOf, familyNumber, type ReachedVersion, type FamilyRef } from '../project/family.ts';
import type { RuntimeConfigurations, RuntimeVersion } from './runtime-configurations.ts';

/** The maximum number of cached versions, one per family. */
const KEPT_MAX = 10_000;

/** Caches runtime versions, but not the configurations. */
export interface RuntimeVersions {
  /** Returns the cached version of a family at these versions or later; null if it must be read. */
  kept(family: FamilyRef, at: ReachedVersion): RuntimeVersion | null;
  /**
   * Returns the version of a family at these versions or later. Callers with the same ones share one read.
   */
  at(family: FamilyRef, at: ReachedVersion): Promise<RuntimeVersion>;
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
    const known = kept.get(number);
    if (known !== undefined && cacheVersionOf(known) > cacheVersionOf(version)) return;
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
  const find = (family: FamilyRef, at: ReachedVersion): RuntimeVersion | null => {
    const found = kept.get(familyNumber(family));
    return found !== undefined && cacheVersionOf(found) >= cacheVersionOf(at) ? found : null;
  };
  return {
    kept: find,
    at: async (family, at) => find(family, at) ?? shared(family, `at ${cacheVersionOf(at)}`),
    current: read,
    after: (family, wakeUp) => shared(family, `after ${wakeUp}`),
  };
}
