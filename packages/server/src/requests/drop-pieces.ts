import type { IncomingMessage } from 'node:http';

/** Node's parser of a connection: its callbacks by their number. */
type Parser = Record<string, unknown>;

const BODY_CALLBACK = 'parserOnBody';

/**
 * Drops all further pieces of a body whose connection will be closed. Node has read up to 64 KiB by then, in which there may be
 * 10,000 chunks, and would make a buffer of each: that costs 50 ms, and without the callback 3 ms. Node uses the parser
 * again for another connection, so the callback is put back.
 */
export function dropPieces({ socket }: IncomingMessage): void {
  const { parser } = socket as typeof socket & { readonly parser?: Parser | null };
  if (!parser) return;
  const found = Object.entries(parser).find(([, value]) => isBodyCallback(value));
  if (found === undefined) return;
  const [number, callback] = found;
  parser[number] = undefined;
  socket.once('close', () => (parser[number] = callback));
}

function isBodyCallback(value: unknown): boolean {
  return typeof value === 'function' && value.name === BODY_CALLBACK;
}
