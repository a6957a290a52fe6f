import type {
  ApiKeyStore,
  Clock,
  DeadLetter,
  DeadLetterStore,
  IngestionStores,
  Message,
  PluginStore,
  ProjectStore,
  Randomness,
  SecretBox,
  SecretStore,
  TokenHasher,
} from '@plugin-config/domain';

/** What the commands and their use cases work with, each made when it is first asked for. */
export interface Services {
  readonly projects: ProjectStore;
  readonly keys: ApiKeyStore;
  readonly plugins: PluginStore;
  readonly letters: DeadLetterStore;
  /** Takes dead letters that are tried again. */
  readonly stores: IngestionStores;
  readonly secrets: SecretStore;
  readonly secretBox: SecretBox;
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  readonly clock: Clock;
  /** Reads the texts of dead letters again, as of now. */
  readonly readAgain: (letters: readonly DeadLetter[]) => readonly Message[];
}
