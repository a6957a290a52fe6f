import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { CannotStart } from './cannot-start.ts';

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The names of the environment variables that set them. */
  readonly settings: { readonly host: string; readonly port: string };
}

const TAKEN = new Set(['EADDRINUSE', 'EACCES']);

/** Listens and resolves to the URL. @throws CannotStart if the port or the host cannot be used */
export async function listen(app: FastifyInstance, { host, port, settings }: ListenAddress): Promise<string> {
  try {
    const { address } = await lookup(host);
    return await app.listen({ host: address, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw TAKEN.has(code)
      ? new CannotStart(`Port ${port} of ${host} is taken already: set ${settings.port} to a free one.`)
      : new CannotStart(`Cannot listen on ${host}: set ${settings.host} to an address of this machine.`);
  }
}
