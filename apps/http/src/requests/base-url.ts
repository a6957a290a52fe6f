import type { FastifyRequest } from 'fastify';

const HOST = /^(?:[\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Returns the base URL of the links in a response. */
export type BaseUrl = (request: FastifyRequest) => string;

/** Uses `PUBLIC_URL`, or the host of the request if it is well-formed. */
export function baseUrl({ publicUrl }: { readonly publicUrl: string | null }): BaseUrl {
  if (publicUrl !== null) return () => publicUrl;
  return (request) => {
    const protocol = request.protocol === 'https' ? 'https' : 'http';
    const { host } = request;
    return `${protocol}://${HOST.test(host) ? host : ownAddress(request)}`;
  };
}

/** Returns the path of `PUBLIC_URL`. A proxy strips it from requests, so links in pages must include it. */
export function publicPath({ publicUrl }: { readonly publicUrl: string | null }): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

function ownAddress({ socket }: FastifyRequest): string {
  const { localAddress = 'localhost', localPort = 80 } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
