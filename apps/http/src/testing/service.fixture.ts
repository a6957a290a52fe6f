import { anAuthor, anIssue } from '@plugin-config/testing';
import { issueApiKey, NO_QUOTA, type ApiKey, type Project, type Scope } from '@plugin-config/domain';
import type { FastifyInstance } from 'fastify';
import { responseCheck } from '@plugin-config/conformance';
import { watchedFetch } from '@plugin-config/conformance/watched-fetch';
import { openDatabase, type Database, type SecretsKeys } from '@plugin-config/persistence';
import { createTestDatabase, TEST_KEYS } from '@plugin-config/persistence/testing';
import {
  addressRulesIn,
  issuerRulesIn,
  CALLER_TIMEOUTS,
  structuredLogger,
  type Readiness,
} from '@plugin-config/server';
import { inject, test as base } from 'vitest';
import { buildApp, type HttpTimeouts } from '../app.ts';
import type { AppSettings, Ports } from '../services.ts';
import { caller, type Call } from './caller.ts';
import { openapiDocument } from '../openapi/document.ts';
import { openBackend, type Backend } from './backend.ts';

export interface KeyOptions {
  readonly scopes?: readonly Scope[];
  readonly projectIds?: readonly number[];
  readonly pluginIds?: readonly number[];
  readonly lifetimeMs?: number | null;
  /** When the key is issued. Defaults to now. */
  readonly at?: Date;
}

export interface IssuedKey {
  readonly key: ApiKey;
  readonly token: string;
}

/** A running app and its database. */
export interface Service {
  readonly url: string;
  readonly databaseUrl: string;
  readonly app: FastifyInstance;
  readonly ports: Ports;
  /** The statements sent so far; a test may empty the list. */
  readonly statements: string[];
  /** The lines of the log. */
  readonly log: string[];
  /** Stores log entries, as the worker does. */
  readonly storeEntries: Backend['storeEntries'];
  issueKey(options?: KeyOptions): Promise<IssuedKey>;
  close(): Promise<void>;
}

const EVERYTHING: readonly Scope[] = ['*'];

/** Checks that a response matches the document of the service. */
export const CHECK = responseCheck(openapiDocument({ publicUrl: null }));

const SETTINGS: AppSettings = {
  publicUrl: null,
  trustProxy: false,
  corsOrigins: new Set(),
  embedOrigins: new Set(),
  consoleTransformations: true,
  rateLimitPerMinute: null,
  requireRegistered: false,
  logQuota: NO_QUOTA,
  sessionHours: 12,
  addressRules: addressRulesIn({ WEBHOOK_ALLOW_HTTP: false, WEBHOOK_ALLOW_ADDRESSES: [] }),
  issuerRules: issuerRulesIn({ OIDC_ALLOW_ADDRESSES: ['127.0.0.1'] }),
  oidc: null,
  keysSignIn: true,
};

/** The production timeouts, checked so often that tests do not wait. */
const TIMEOUTS: HttpTimeouts = { ...CALLER_TIMEOUTS, checkMs: 50, keyCheckMs: 500 };

interface ServiceOptions extends Partial<AppSettings> {
  readonly timeouts?: Partial<HttpTimeouts>;
}

/** Starts the app on a new database, which `close` drops. */
export async function openService(options: ServiceOptions = {}, secretsKeys?: SecretsKeys): Promise<Service> {
  const database = await createTestDatabase(inject('databaseAdminUrl'));
  const service = await openServiceOn(database.url, options, undefined, secretsKeys);
  const close = async (): Promise<void> => {
    await service.close();
    await database.drop();
  };
  return { ...service, close };
}

export async function openServiceOn(
  databaseUrl: string,
  { timeouts, ...settings }: ServiceOptions = {},
  readiness: Readiness = async () => null,
  secretsKeys?: SecretsKeys,
): Promise<Service> {
  const backend = await openBackend(databaseUrl, secretsKeys);
  const { ports, dryPorts, database, statements, storeEntries, close } = backend;
  const log: string[] = [];
  const logger = structuredLogger('http', 'debug', { write: (line) => log.push(line) });
  const app = buildApp({
    ports,
    dryPorts,
    settings: { ...SETTINGS, ...settings },
    readiness,
    database,
    logger,
    timeouts: { ...TIMEOUTS, ...timeouts },
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  watchedFetch.watch(url, CHECK);
  return {
    url,
    databaseUrl,
    app,
    ports,
    statements,
    log,
    storeEntries,
    issueKey: ({ scopes = EVERYTHING, at = new Date(), ...order } = {}) =>
      issueApiKey(ports, anIssue({ label: 'test key', scopes, ...order }, at)),
    close: async () => {
      watchedFetch.unwatch(url);
      await app.close();
      await close();
    },
  };
}

interface Fixtures {
  readonly service: Service;
  /** Connections to the database of the service. */
  readonly database: Database;
  /** A new project for the test. */
  readonly project: Project;
  /** Calls paths below the project, such as `/plugin_configs/`, with an unrestricted key. */
  readonly call: Call;
}

export const test = base.extend<Fixtures>({
  service: [
    async ({}, use) => {
      const service = await openService();
      await use(service);
      await service.close();
    },
    { scope: 'file' },
  ],
  database: [
    async ({ service }, use) => {
      const database = openDatabase({ url: service.databaseUrl, poolSize: 2, masterKeys: TEST_KEYS });
      await use(database);
      await database.close();
    },
    { scope: 'file' },
  ],
  project: async ({ service }, use) => {
    await use(await service.ports.projects.create({ name: 'Test project' }, anAuthor({ at: new Date() })));
  },
  call: async ({ service, project }, use) => {
    const { token } = await service.issueKey();
    await use(caller({ base: `${service.url}/api/projects/${project.id}`, token }));
  },
});

export async function expireSoon({ pool }: Database, { key: { id } }: IssuedKey, inMs = 500): Promise<void> {
  const sql = `update api_key set expires_at = now() + $2 * interval '1 ms' where id = $1`;
  await pool.query(sql, [id, inMs]);
}
