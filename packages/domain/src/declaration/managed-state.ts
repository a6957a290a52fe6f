import type { Configuration, SealedSecrets } from '../configuration/configuration.ts';
import type { Plugin } from '../plugin/plugin.ts';
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
  readonly secrets: SealedSecrets;
}

export interface ManagedFamily {
  /** All live records, owned or not. */
  readonly live: readonly RecordPosition[];
  readonly owned: readonly OwnedRecord[];
}

/** A registered plugin, and what its new records begin with. */
export interface SeededPlugin {
  readonly plugin: Plugin;
  readonly revision: number;
  readonly seed: Configuration;
}

/** All that a plan of one manager depends on, read at one moment. */
export interface ManagedState {
  readonly base: Base;
  readonly families: Readonly<Record<Family, ManagedFamily>>;
  /** The registered ones among the plugins of the owned and the declared records, by their id. */
  readonly plugins: ReadonlyMap<number, SeededPlugin>;
}
