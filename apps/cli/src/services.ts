import type { Clock, IngestionStores, LogQuota } from '@plugin-config/domain';
import type { MasterKeyUse, PostgresPorts } from '@plugin-config/persistence';

/** Dependencies of the commands. */
export type Services = PostgresPorts & OwnServices;

/** Services that need more than a database. */
export interface OwnServices {
  /** Stores for retried dead letters. */
  readonly stores: IngestionStores;
  readonly masterKeys: MasterKeys;
  readonly clock: Clock;
  /** Given to retried dead letters that have no instance id. */
  readonly instanceId: string;
  readonly retentionDays: number;
  readonly logQuota: LogQuota;
}

/** The master keys in `SECRETS_KEYS`, and those in use in the database. */
export interface MasterKeys {
  /** Ids of the keys in `SECRETS_KEYS`. The first key wraps data keys. */
  readonly ids: readonly string[];
  /** Rejects if the keys are unsafe to encrypt with: none is set, or one that the database needs differs or is missing (unless `mayLackSome`). */
  require(options?: { readonly mayLackSome?: boolean }): Promise<void>;
  uses(): Promise<readonly MasterKeyUse[]>;
  /** Wraps every data key with the first key. */
  rotate(): Promise<void>;
}
