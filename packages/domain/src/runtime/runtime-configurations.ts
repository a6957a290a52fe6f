import { DomainError } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { TimelineId } from '../kernel/timeline.ts';
import type { FamilyRef } from '../project/family.ts';

/** The most enabled records of a family, and MiB of their configurations, that runtimes get. */
export interface RuntimeLimits {
  readonly records: number;
  readonly mib: number;
}

export const RUNTIME_LIMITS: RuntimeLimits = { records: 5000, mib: 32 };

/** An enabled record as a runtime gets it. */
export interface RuntimeRecord {
  readonly id: number;
  readonly plugin: number;
  /** Null if the plugin is not registered. */
  readonly pluginName: string | null;
  readonly name: string | null;
  readonly order: number;
  /** With the values of secrets. */
  readonly config: JsonObject;
}

/**
 * The version of what the runtimes of a family get, and what it was computed at. It can change only when the version of the list or the
 * registry version has.
 */
export interface RuntimeVersion {
  readonly version: string;
  /** Of the configurations. */
  readonly bytes: number;
  readonly timelineId: TimelineId;
  readonly listVersion: number;
  readonly registryVersion: number;
  /** The cache version at which this was the version. */
  readonly cacheVersion: number;
}

/** What the runtimes of a family get, with its version. */
export interface RuntimeConfiguration {
  readonly version: string;
  readonly records: readonly RuntimeRecord[];
}

/** Reads what runtimes get. */
export interface RuntimeConfigurations {
  /**
   * Returns the current version, and decrypts nothing for it. Reads no record while the one that is known can still be it.
   * @throws DomainError `content_too_large`
   */
  version(family: FamilyRef, known: RuntimeVersion | null): Promise<RuntimeVersion>;
  /**
   * Returns the enabled, live records in order, with the values of secrets.
   * @throws DomainError `content_too_large`
   */
  read(family: FamilyRef): Promise<RuntimeConfiguration>;
}

export function contentTooLarge({ records, mib }: RuntimeLimits): DomainError {
  const message = `Runtimes get at most ${records} enabled records, of ${mib} MiB together. Disable some.`;
  return new DomainError('content_too_large', message);
}
