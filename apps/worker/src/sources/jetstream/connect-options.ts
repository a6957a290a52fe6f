import type { NodeConnectionOptions } from '@nats-io/transport-node';

const RECONNECT_MS = 500;
const PING_MS = 10_000;

/** Parses a URL with one or more servers and optional credentials. */
export function connectOptions(url: string): NodeConnectionOptions {
  const servers = url.split(',').map((server) => new URL(server.trim()));
  const [first] = servers;
  return {
    servers: servers.map(({ host }) => host),
    name: 'plugin-config-worker',
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    ...(first !== undefined && credentials(first)),
    ...(first?.protocol === 'tls:' && { tls: {} }),
  };
}

function credentials({ username, password }: URL): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const user = decodeURIComponent(username);
  if (user === '') return {};
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}
