import type { FastifyReply } from 'fastify';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** Smaller bodies fit into the buffers of the connection. */
const LARGE_BYTES = 64 * 1024;

/** Reserves the memory of a large answer until it is sent. Call it before the headers are set. */
export function reserveIfLarge(reply: FastifyReply, body: Buffer): void {
  if (body.length >= LARGE_BYTES) reply.server.unsent.reserve(reply, body);
}

/** Sends an answer that must not be stored. */
export function sendJson(reply: FastifyReply, value: unknown): void {
  sendJsonBytes(reply, Buffer.from(JSON.stringify(value)));
}

export function sendJsonBytes(reply: FastifyReply, body: Buffer): void {
  reserveIfLarge(reply, body);
  withJsonHeaders(reply).send(body);
}

export function withJsonHeaders(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('content-type', JSON_UTF8);
}
