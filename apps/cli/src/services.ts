import type {
  Clock,
  DeadLetter,
  IngestionStores,
  Message,
  SecretBox,
  SeparateLog,
} from '@plugin-config/domain';
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
  /** Parses the texts of dead letters again, at the current time. */
  readonly readAgain: (letters: readonly DeadLetter[]) => readonly Message[];
}
