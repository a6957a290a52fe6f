import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Returns the response in progress on a connection. Node stores it on the socket. */
export function responseOn(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
