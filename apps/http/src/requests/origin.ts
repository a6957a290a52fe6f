import type { FastifyRequest } from 'fastify';

const HOST = /^(?:[\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The base of every address in an answer. */
export type Origin = (request: FastifyRequest) => string;

/** What a caller says of its host is believed only where it has the form of one. */
export function origin({ publicUrl }: { readonly publicUrl: string | null }): Origin {
  if (publicUrl !== null) return () => publicUrl;
  return (request) => {
    const protocol = request.protocol === 'https' ? 'https' : 'http';
    const { host } = request;
    return `${protocol}://${HOST.test(host) ? host : ownAddress(request)}`;
  };
}

function ownAddress({ socket }: FastifyRequest): string {
  const { localAddress = 'localhost', localPort = 80 } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
