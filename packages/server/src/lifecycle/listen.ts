import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { CannotStart } from './cannot-start.ts';

interface Place {
  readonly host: string;
  readonly port: number;
  /** The variables of the environment that say so. */
  readonly settings: { readonly host: string; readonly port: string };
}

const TAKEN = new Set(['EADDRINUSE', 'EACCES']);

/** Resolves to the address. @throws CannotStart where nobody can listen there */
export async function listen(app: FastifyInstance, { host, port, settings }: Place): Promise<string> {
  try {
    const { address } = await lookup(host);
    return await app.listen({ host: address, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw TAKEN.has(code)
      ? new CannotStart(`Port ${port} of ${host} is taken already: set ${settings.port} to a free one.`)
      : new CannotStart(`Nobody can listen on ${host}: set ${settings.host} to an address of this machine.`);
  }
}
