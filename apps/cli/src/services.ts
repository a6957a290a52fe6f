import type {
  ApiKeyStore,
  Clock,
  DeadLetterStore,
  IngestStore,
  PluginStore,
  ProjectStore,
  Randomness,
  SecretBox,
  TokenHasher,
} from '@plugin-config/domain';
import { readSettings } from './settings.ts';

/** What the commands and their use cases work with, each made when it is first asked for. */
export interface Services {
  readonly projects: ProjectStore;
  readonly keys: ApiKeyStore;
  readonly plugins: PluginStore;
  readonly letters: DeadLetterStore;
  /** Takes dead letters that are tried again. */
  readonly store: IngestStore;
  readonly secretBox: SecretBox;
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly retentionDays: number;
}

/** Runs the work on the database that the environment names, and lets go of that. */
export async function withServices<T>(env: NodeJS.ProcessEnv, work: (services: Services) => Promise<T>): Promise<T> {
  const settings = await readSettings(env);
  const { openServices } = await import('./container.ts');
  const services = await openServices(settings);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
