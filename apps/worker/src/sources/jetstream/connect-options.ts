import { readFileSync } from 'node:fs';
import { credsAuthenticator, type NodeConnectionOptions } from '@nats-io/transport-node';
import { DomainError } from '@plugin-config/domain';

/** How to connect to NATS. The files are read at each attempt to connect, so they can be replaced while the worker runs. */
export interface NatsAddress {
  /** One or more servers, separated by commas, with optional credentials. */
  readonly url: string;
  /** A file with the credentials of a user: a JWT and a seed. */
  readonly credsFile?: string | null;
  /** A file with CA certificates, instead of the certificates that Node trusts. */
  readonly caFile?: string | null;
  /** Files with the worker's certificate and its key. */
  readonly certFile?: string | null;
  readonly keyFile?: string | null;
}

const RECONNECT_MS = 500;
const PING_MS = 10_000;
const CONNECT_MS = 5_000;

/** @throws DomainError `unavailable` if the credentials file is invalid */
export function connectOptions({ url, credsFile, ...files }: NatsAddress): NodeConnectionOptions {
  const servers = url.split(',').map((server) => new URL(server.trim()));
  const [first] = servers;
  const tls = Object.fromEntries(Object.entries(files).filter(([, file]) => file !== null));
  const isEncrypted = first?.protocol === 'tls:' || Object.keys(tls).length > 0;
  return {
    servers: servers.map(({ host }) => host),
    name: 'plugin-config-worker',
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    timeout: CONNECT_MS,
    ...(first !== undefined && credentials(first)),
    ...(credsFile && { authenticator: authenticator(credsFile) }),
    ...(isEncrypted && { tls }),
  };
}

function credentials({ username, password }: URL): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const user = decodeURIComponent(username);
  if (user === '') return {};
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}

function authenticator(file: string): ReturnType<typeof credsAuthenticator> {
  const authenticate = credsAuthenticator(() => readFileSync(file));
  try {
    authenticate('a nonce');
  } catch (cause) {
    throw new DomainError('unavailable', `NATS_CREDS: ${file} contains no user credentials.`, { cause });
  }
  return authenticate;
}
