import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ReceivedDelivery {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server that receives deliveries. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedDelivery[];
  /** The number of connections so far, with or without a request. */
  connections(): number;
  /** The open connections. */
  readonly open: ReadonlySet<Socket>;
}

export type Responder = (response: ServerResponse, delivery: ReceivedDelivery) => void;

export const accept: Responder = (response) => response.writeHead(204).end();

export async function webhookReceiver(
  respond: Responder = accept,
  host = '127.0.0.1',
): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const { url = '', method = '', headers } = request;
    const delivery = { url, method, headers, body };
    received.push(delivery);
    respond(response, delivery);
  };
  const server = createServer((request, response) => {
    // A request may end at any point, as when the sender is killed.
    receive(request, response).catch(() => response.destroy());
  });
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    connections++;
    open.add(socket.on('close', () => open.delete(socket)));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/`,
    port,
    received,
    connections: () => connections,
    open,
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}
