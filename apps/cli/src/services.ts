import type {
  ApiKeyStore,
  Clock,
  DeadLetterStore,
  IngestStore,
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
  readonly store: IngestStore;
  readonly secrets: SecretStore;
  readonly secretBox: SecretBox;
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly retentionDays: number;
}
