import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answer that is being given on a connection, which Node keeps there. */
export function answerOn(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
