import type { FastifyReply } from 'fastify';
import { acceptedEncoding } from './accepted-encoding.ts';
import { compress, COMPRESSED_MIN_BYTES } from './compress.ts';
import { jsonInSlices } from './json-in-slices.ts';
import { JSON_UTF8, reserveIfLarge, sendReservedJson } from './send-json.ts';

/** Sends an uncacheable response to a read, in the encoding that the caller prefers. */
export async function sendRead(reply: FastifyReply, value: unknown): Promise<void> {
  await sendReadBody(reply, await jsonInSlices(value));
}

/** Like `sendRead`, for a value as JSON. */
export async function sendReadBody(reply: FastifyReply, body: Buffer): Promise<void> {
  if (body.length < COMPRESSED_MIN_BYTES) return sendReservedJson(reply, body);
  const encoding = acceptedEncoding(reply.request.raw.headers['accept-encoding']);
  const compressed = encoding === null ? null : await compress(body, encoding);
  reserveIfLarge(reply, compressed ?? body);
  varyByEncoding(reply);
  if (encoding !== null && compressed !== null) reply.header('content-encoding', encoding);
  reply
    .header('cache-control', 'no-store')
    .header('content-type', JSON_UTF8)
    .send(compressed ?? body);
}

/** Adds `Accept-Encoding` to the `Vary` header. */
export function varyByEncoding(reply: FastifyReply): void {
  const names = reply.hasHeader('vary') ? [reply.getHeader('vary')].flat() : [];
  reply.header('vary', [...names, 'Accept-Encoding'].join(', '));
}
