import type { Clock, IngestionStores, SecretBox, SeparateLog } from '@plugin-config/domain';
import type { PostgresPorts } from '@plugin-config/persistence';

/** The dependencies of the commands. */
export type Services = PostgresPorts & OwnServices;

/** What needs more than a database. */
export interface OwnServices {
  /** Store retried dead letters. */
  readonly stores: IngestionStores;
  /** Null if PostgreSQL has the entries of logs. */
  readonly separateLog: SeparateLog | null;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /** The instance id of retried dead letters without one. */
  readonly instanceId: string;
  readonly retentionDays: number;
}
