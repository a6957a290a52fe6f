import type { ApiKeyStore, Clock, PluginStore, ProjectStore, Randomness, SecretBox, TokenHasher } from '@plugin-config/domain';
import { findDatabase } from './database.ts';

/** What the commands work with, each made when it is first asked for. */
export interface Services {
  readonly projects: ProjectStore;
  readonly keys: ApiKeyStore;
  readonly plugins: PluginStore;
  readonly hasher: TokenHasher;
  readonly secretBox: SecretBox;
  readonly randomness: Randomness;
  readonly clock: Clock;
}

/** Runs the work on the database that `env` names, and lets go of it. */
export async function withServices<T>(env: NodeJS.ProcessEnv, work: (services: Services) => Promise<T>): Promise<T> {
  const database = await findDatabase(env);
  const { openServices } = await import('./container.ts');
  await using services = await openServices(database);
  return await work(services);
}
