import type { SecretNames } from '../configuration/configuration.ts';
import type { Registration } from '../plugin/registration.ts';
import type { Family } from '../project/family.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import type { RecordPosition } from '../record/ordering.ts';
import type { Base } from './base.ts';

/** A record that a manager owns, live or deleted. */
export interface OwnedRecord {
  readonly key: string;
  readonly preventDestroy: boolean;
  /** True if it was not changed since its manager applied or adopted it. */
  readonly isAsApplied: boolean;
  /** Its `pluginInfo` is null. */
  readonly record: ConfigRecord;
  readonly secretNames: SecretNames;
  /**
   * The configuration with the values of secrets, as JSON text. Decrypts it only when its record is planned: thousands at once would
   * block the process.
   */
  readonly values: () => string;
}

export interface ManagedFamily {
  /** All live records, owned or not. */
  readonly live: readonly RecordPosition[];
  readonly owned: readonly OwnedRecord[];
}

/** What is known of a plugin, and what its new records begin with. */
export interface SeededPlugin extends Registration {
  /** The configuration of a new record with the values of secrets, as JSON text. */
  readonly defaults: string;
}

/** All that a plan of one manager depends on, read at one moment. */
export interface ManagedState {
  readonly base: Base;
  readonly families: Readonly<Record<Family, ManagedFamily>>;
  /** The plugins of the owned and the declared records that are registered or were, by their id. */
  readonly plugins: ReadonlyMap<number, SeededPlugin>;
  /**
   * Returns the same text for the same plan of the project. It reveals nothing of the plan, which has values of secrets, to
   * whoever lacks the data key of the project.
   */
  readonly fingerprint: (plan: string) => string;
}
