import type { Clock, IngestionStores, LogQuota } from '@plugin-config/domain';
import type { MasterKeyUse, PostgresPorts } from '@plugin-config/persistence';

/** The dependencies of the commands. */
export type Services = PostgresPorts & OwnServices;

/** What needs more than a database. */
export interface OwnServices {
  /** Store retried dead letters. */
  readonly stores: IngestionStores;
  readonly masterKeys: MasterKeys;
  readonly clock: Clock;
  /** The instance id of retried dead letters without one. */
  readonly instanceId: string;
  readonly retentionDays: number;
  readonly logQuota: LogQuota;
}

/** The master keys of `SECRETS_KEYS`, and what the database needs. */
export interface MasterKeys {
  /** The ids of the given ones. The first one wraps data keys. */
  readonly ids: readonly string[];
  /**
   * Rejects keys that nothing may be encrypted with: none, or others than the database needs. Tolerates that some are missing if
   * `mayLackSome`.
   */
  require(options?: { readonly mayLackSome?: boolean }): Promise<void>;
  uses(): Promise<readonly MasterKeyUse[]>;
  /** Wraps every data key with the first key. */
  rotate(): Promise<void>;
}
