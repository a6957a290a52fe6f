import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { CannotStart } from './cannot-start.ts';

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The names of the environment variables that set the host and the port. */
  readonly settings: { readonly host: string; readonly port: string };
}

const PORT_UNAVAILABLE = new Set(['EADDRINUSE', 'EACCES']);

/** Listens and resolves to the URL. @throws CannotStart if the port or the host cannot be used */
export async function listen(app: FastifyInstance, { host, port, settings }: ListenAddress): Promise<string> {
  try {
    const { address } = await lookup(host);
    return await app.listen({ host: address, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw PORT_UNAVAILABLE.has(code)
      ? new CannotStart(`Port ${port} of ${host} is not available. Set ${settings.port} to a free port.`)
      : new CannotStart(`Cannot listen on ${host}. Set ${settings.host} to an address of this machine.`);
  }
}
