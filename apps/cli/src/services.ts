import type {
  ApiKeyStore,
  Clock,
  DeadLetter,
  DeadLetterStore,
  IngestionStores,
  LogExport,
  Message,
  PluginStore,
  ProjectStore,
  Randomness,
  SecretBox,
  SecretStore,
  SeparateLog,
  TokenHasher,
} from '@plugin-config/domain';

/** The dependencies of the commands. */
export interface Services {
  readonly projects: ProjectStore;
  readonly keys: ApiKeyStore;
  readonly plugins: PluginStore;
  readonly letters: DeadLetterStore;
  /** Store retried dead letters. */
  readonly stores: IngestionStores;
  /** Reads the entries of logs that PostgreSQL has. */
  readonly logExport: LogExport;
  /** Null if PostgreSQL has the entries of logs. */
  readonly separateLog: SeparateLog | null;
  readonly secrets: SecretStore;
  readonly secretBox: SecretBox;
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  readonly clock: Clock;
  /** Parses the texts of dead letters again, at the current time. */
  readonly readAgain: (letters: readonly DeadLetter[]) => readonly Message[];
}
