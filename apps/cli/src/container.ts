import 'reflect-metadata';
import type { ApiKeyStore, Clock, PluginStore, ProjectStore, Randomness, SecretBox, TokenHasher } from '@plugin-config/domain';
import {
  aesSecretBox,
  nodeRandomness,
  openDatabase,
  postgresApiKeyStore,
  postgresPluginStore,
  postgresProjectStore,
  sha256TokenHasher,
  type Database,
} from '@plugin-config/persistence';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import type { DatabaseSettings } from './database.ts';
import type { Services } from './services.ts';

const token = <T>(name: string): InjectionToken<T> => Symbol(name);
const once = <T>(make: (c: DependencyContainer) => T) => ({ useFactory: instanceCachingFactory(make) });

const DATABASE = token<Database>('Database');
const PROJECTS = token<ProjectStore>('ProjectStore');
const KEYS = token<ApiKeyStore>('ApiKeyStore');
const PLUGINS = token<PluginStore>('PluginStore');
const HASHER = token<TokenHasher>('TokenHasher');
const SECRET_BOX = token<SecretBox>('SecretBox');
const RANDOMNESS = token<Randomness>('Randomness');
const CLOCK = token<Clock>('Clock');

export async function openServices(settings: DatabaseSettings): Promise<Services & AsyncDisposable> {
  const database = await openDatabase({ url: settings.url, poolSize: 1, applicationName: 'plugin-config-cli' });
  const registered = register(database, settings);
  return { ...servicesOf(registered) }
}
