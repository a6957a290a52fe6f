import 'reflect-metadata';
import {
  TIMEOUT_MS,
  type LogEntryStore,
  type RuntimeConfigurations,
  type SessionCipher,
  type SignInCipher,
} from '@plugin-config/domain';
import {
  aesSessionCipher,
  aesSignInCipher,
  postgresLogEntryStore,
  postgresPorts,
  postgresRuntimeConfigurations,
  type PostgresPorts,
  postgresWakeUps,
  type PostgresWakeUps,
  serverClock,
  type ServerClock,
} from '@plugin-config/persistence';
import { openDatabases, type Databases } from '@plugin-config/server';
import { container, instanceCachingFactory } from 'tsyringe';
import type { Env } from './env.ts';

interface OwnServices extends Databases {
  readonly clock: ServerClock;
  readonly logEntries: LogEntryStore;
  readonly wakeUps: PostgresWakeUps;
  readonly configurations: RuntimeConfigurations;
  readonly sessionCipher: SessionCipher;
  readonly signInCipher: SignInCipher;
}

/** The PostgreSQL adapters, and the services that have settings or run in the background. */
export type Services = PostgresPorts & OwnServices & { readonly dryPorts: PostgresPorts };

type Get = <Name extends keyof OwnServices>(name: Name) => OwnServices[Name];
/** A factory for each service; `get` returns the services it depends on. A missing factory does not compile. */
type Factories = { readonly [Name in keyof OwnServices]: (get: Get) => OwnServices[Name] };

const factories = (env: Env, { database, clickHouse }: Databases): Factories => ({
  database: () => database,
  clickHouse: () => clickHouse,
  logEntries: () => postgresLogEntryStore({ ...database, searchTimeoutMs: env.LOG_SEARCH_TIMEOUT_MS }),
  wakeUps: () => postgresWakeUps(database),
  configurations: () => postgresRuntimeConfigurations(database),
  sessionCipher: () => aesSessionCipher(env.SECRETS_KEYS),
  signInCipher: () => aesSignInCipher(env.SECRETS_KEYS),
  clock: () => serverClock(database),
});

/** Opens the database and creates every service, to fail at startup rather than on first use. */
export async function openServices(env: Env): Promise<Services> {
  const databases = openDatabases(env, {
    applicationName: 'plugin-config-http',
    publicUrl: env.PUBLIC_URL,
    statementTimeoutMs: TIMEOUT_MS,
    searchTimeoutMs: env.LOG_SEARCH_TIMEOUT_MS,
  });
  const { database } = databases;
  return {
    ...postgresPorts(database),
    dryPorts: postgresPorts(database.dry),
    ...createAll(factories(env, databases)),
  };
}

function createAll(make: Factories): OwnServices {
  const services = container.createChildContainer();
  const get: Get = (name) => services.resolve(name);
  const names = Object.keys(make) as (keyof OwnServices)[];
  for (const name of names) {
    services.register(name, { useFactory: instanceCachingFactory<unknown>(() => make[name](get)) });
  }
  return Object.fromEntries(names.map((name) => [name, get(name)])) as unknown as OwnServices;
}
