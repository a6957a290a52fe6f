import { familyNumber, type FamilyRef } from '../project/family.ts';
import type { RuntimeConfigurations, RuntimeVersion } from './runtime-configurations.ts';

/** The families whose versions are kept. */
const KEPT_MAX = 10_000;

/** Keeps the versions of what runtimes get, and nothing else of it. */
export interface RuntimeVersions {
  /** Returns the version of a family at this freshness or a later one. Callers at one freshness share the read. */
  at(family: FamilyRef, freshness: number): Promise<string>;
  /** Reads the version after a wake-up. Callers that were woken by the same one share the read. */
  after(family: FamilyRef, wakeUp: string): Promise<string>;
}

export function runtimeVersions({
  configurations,
}: {
  readonly configurations: Pick<RuntimeConfigurations, 'version'>;
}): RuntimeVersions {
  const kept = new Map<number, RuntimeVersion>();
  const reading = new Map<string, Promise<string>>();

  const keep = (number: number, version: RuntimeVersion): void => {
    if ((kept.get(number)?.freshness ?? -1) > version.freshness) return;
    kept.delete(number);
    kept.set(number, version);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  };
  const read = async (family: FamilyRef): Promise<string> => {
    const number = familyNumber(family);
    const found = await configurations.version(family, kept.get(number) ?? null);
    keep(number, found);
    return found.version;
  };
  const shared = (family: FamilyRef, at: string): Promise<string> => {
    const name = `${familyNumber(family)} ${at}`;
    const started = reading.get(name) ?? read(family).finally(() => reading.delete(name));
    reading.set(name, started);
    return started;
  };
  return {
    at: async (family, freshness) => {
      const known = kept.get(familyNumber(family));
      return known !== undefined && known.freshness >= freshness
        ? known.version
        : shared(family, `at ${freshness}`);
    },
    after: (family, wakeUp) => shared(family, `after ${wakeUp}`),
  };
}
