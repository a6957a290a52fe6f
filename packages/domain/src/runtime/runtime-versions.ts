import { familyNumber, type FamilyRef } from '../project/family.ts';
import type { RuntimeConfigurations, RuntimeVersion } from './runtime-configurations.ts';

/** The families whose versions are kept. */
const KEPT_MAX = 10_000;

/** Keeps the versions of what runtimes get, and nothing else of it. */
export interface RuntimeVersions {
  /** Returns the version of a family at this cache version or a later one if it is kept; null if it has to be read. */
  kept(family: FamilyRef, cacheVersion: number): RuntimeVersion | null;
  /** Returns the version of a family at this cache version or a later one. Callers at one cache version share the read. */
  at(family: FamilyRef, cacheVersion: number): Promise<RuntimeVersion>;
  /** Reads the version after a wake-up. Callers that were woken by the same one share the read. */
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
    after: (family, wakeUp) => shared(family, `after ${wakeUp}`),
  };
}
