import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Tenant } from './tenant.ts';

/** Opens a socket for raw requests that stays half-open until the test closes it. */
export async function rawSender(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket.resume();
}

/** Returns the head of a push with additional headers, such as its length. */
export function pushHead({ token }: Tenant, ...headers: readonly string[]): string {
  return head('/ingest', token, ['Content-Type: application/x-ndjson', ...headers]);
}

/** Returns the head of a creation with additional headers. */
export function creationHead({ projectId, token }: Tenant, ...headers: readonly string[]): string {
  const path = `/api/projects/${projectId}/plugin_configs`;
  return head(path, token, ['Content-Type: application/json', ...headers]);
}

function head(path: string, token: string, headers: readonly string[]): string {
  const all = ['Host: service', `Authorization: Bearer ${token}`, ...headers];
  return `POST ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
}
