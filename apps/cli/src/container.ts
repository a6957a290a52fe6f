import 'reflect-metadata';
import type {
  ApiKeyStore,
  Clock,
  DeadLetterStore,
  IngestionStores,
  PluginStore,
  ProjectStore,
  Randomness,
  SecretBox,
  SecretStore,
  TokenHasher,
} from '@plugin-config/domain';
import { deadLetterReader } from '@plugin-config/message-format';
import {
  aesSecretBox,
  type Database,
  missingMigrations,
  nodeRandomness,
  openDatabase,
  postgresApiKeyStore,
  postgresDeadLetterStore,
  postgresIngestionStores,
  postgresPluginStore,
  postgresProjectStore,
  postgresSecretStore,
  readSecretsKeys,
  serverClock,
  type SecretsKeys,
  sha256TokenHasher,
  compatibilityProblem,
} from '@plugin-config/persistence';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import type { Services } from './services.ts';
import type { Settings } from './settings.ts';
import { PROGRAM } from './usage.ts';

const token = <T>(name: string): InjectionToken<T> => Symbol(name);

const DATABASE = token<Database>('Database');
const PROJECTS = token<ProjectStore>('ProjectStore');
const KEYS = token<ApiKeyStore>('ApiKeyStore');
const PLUGINS = token<PluginStore>('PluginStore');
const LETTERS = token<DeadLetterStore>('DeadLetterStore');
const STORES = token<IngestionStores>('IngestionStores');
const SECRETS = token<SecretStore>('SecretStore');
const SECRET_BOX = token<SecretBox>('SecretBox');
const HASHER = token<TokenHasher>('TokenHasher');
const RANDOMNESS = token<Randomness>('Randomness');
const CLOCK = token<Clock>('Clock');

/** Opens the services of the commands. Refuses a database whose schema is older than the code. */
export async function openServices(settings: Settings): Promise<Services & { close(): Promise<void> }> {
  const { databaseUrl: url, retentionDays } = settings;
  const database = await openDatabase({ url, poolSize: 2, applicationName: 'plugin-config-cli' });
  try {
    await refuseUnfitDatabase(database);
    const clock = serverClock(database);
    await clock.set();
    return { ...resolveAll(wire(database, settings, clock), retentionDays), close: database.close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function refuseUnfitDatabase(database: Database): Promise<void> {
  const reason = await compatibilityProblem(database);
  if (reason !== null) throw new Error(reason);
  const missing = await missingMigrations(database);
  if (missing.length === 0) return;
  throw new Error(
    `The schema of the database is older than this code: bring it up to date with ${PROGRAM} migrate`,
  );
}

function wire(database: Database, settings: Settings, clock: Clock): DependencyContainer {
  const services = container.createChildContainer();
  const provide = <T>(name: InjectionToken<T>, make: (c: DependencyContainer) => T): void => {
    services.register(name, { useFactory: instanceCachingFactory(make) });
  };
  services.register(DATABASE, { useValue: database });
  services.register(CLOCK, { useValue: clock });
  provide(PROJECTS, (c) => postgresProjectStore(c.resolve(DATABASE)));
  provide(KEYS, (c) => postgresApiKeyStore(c.resolve(DATABASE)));
  provide(PLUGINS, (c) => postgresPluginStore(c.resolve(DATABASE)));
  provide(LETTERS, (c) => postgresDeadLetterStore(c.resolve(DATABASE)));
  provide(STORES, (c) => postgresIngestionStores(c.resolve(DATABASE)));
  provide(SECRETS, (c) => postgresSecretStore(c.resolve(DATABASE)));
  provide(SECRET_BOX, () => aesSecretBox(keysOf(settings)));
  provide(HASHER, sha256TokenHasher);
  provide(RANDOMNESS, nodeRandomness);
  return services;
}

function resolveAll(services: DependencyContainer, retentionDays: number): Services {
  const randomness = services.resolve(RANDOMNESS);
  const clock = services.resolve(CLOCK);
  return {
    projects: services.resolve(PROJECTS),
    keys: services.resolve(KEYS),
    plugins: services.resolve(PLUGINS),
    letters: services.resolve(LETTERS),
    stores: services.resolve(STORES),
    secrets: services.resolve(SECRETS),
    secretBox: services.resolve(SECRET_BOX),
    hasher: services.resolve(HASHER),
    randomness,
    clock,
    readAgain: deadLetterReader({ clock, randomness, instanceId: randomness.uuid(), retentionDays }),
  };
}

function keysOf({ secretsKeys }: Settings): SecretsKeys {
  const keys = readSecretsKeys(secretsKeys);
  if (keys !== null) return keys;
  throw new Error(
    'SECRETS_KEYS takes id:base64key[,id:base64key…], each id once, with keys of 32 bytes (openssl rand -base64 32); the first one encrypts.',
  );
}
