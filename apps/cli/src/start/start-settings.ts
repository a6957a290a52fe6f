import { resolve } from 'node:path';
import { NO_MASTER_KEY } from '@plugin-config/persistence';
import { DATABASE_URL_FORM, isDatabaseUrl } from '@plugin-config/persistence/database-url';

/** A reason not to start, with a message for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const PORT_MAX = 65_535;

/** The address of an app, and the environment variable of its port. */
export interface Address {
  readonly variable: string;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

export interface Addresses {
  readonly http: Address;
  readonly worker: Address;
}

export interface StartSettings extends Addresses {
  readonly dataDir: string;
  /** Undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Undefined if they are stored in the data directory of the embedded database. */
  readonly secretsKeys: string | undefined;
}

/** Reads the settings that `start` itself needs. The apps check the rest. */
export function startSettings(env: NodeJS.ProcessEnv): StartSettings {
  const valueOf = (variable: string): string | undefined =>
    env[variable] === '' ? undefined : env[variable];
  const [external, secretsKeys] = [databaseUrl(valueOf('DATABASE_URL')), valueOf('SECRETS_KEYS')];
  if (external !== undefined && secretsKeys === undefined) throw new StartError(`${NO_MASTER_KEY}.`);
  return {
    dataDir: resolve(valueOf('DATA_DIR') ?? '.data'),
    databaseUrl: external,
    secretsKeys,
    http: address('PORT', valueOf('HOST'), valueOf('PORT') ?? '8000'),
    worker: address('WORKER_PORT', valueOf('WORKER_HOST'), valueOf('WORKER_PORT') ?? '8001'),
  };
}

function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || isDatabaseUrl(text)) return text;
  throw new StartError(`Invalid DATABASE_URL: expected ${DATABASE_URL_FORM}.`);
}

function address(variable: string, host = '127.0.0.1', port: string): Address {
  if (!/^\d{1,5}$/.test(port) || Number(port) > PORT_MAX) {
    throw new StartError(`Invalid ${variable}: expected a port number, 0 to ${PORT_MAX}.`);
  }
  return { variable, host, port: Number(port) };
}

/** Returns the URL of an address, as seen from this machine. */
export function urlOf({ host, port }: Address): string {
  return `http://${reachable(host)}:${port}`;
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
