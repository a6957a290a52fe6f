import type { FastifyReply } from 'fastify';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** Smaller bodies fit into the buffers of the connection. */
const LARGE_BYTES = 64 * 1024;

/** Below this size, the conversion is worth it. */
const TEXT_MAX_BYTES = 1024;

/**
 * A body as it is sent: Node sends a text in one piece with the head, and bytes beside it. But while a caller does not read, it
 * keeps a text twice, so a longer body stays as it is.
 */
export function textIfShort(body: Buffer): Buffer | string {
  return body.length < TEXT_MAX_BYTES ? body.toString() : body;
}

/**
 * Reserves the memory of a large answer, or as many bytes as one may have, until it is sent. Call it before the headers
 * are set, and before a change is stored.
 */
export function reserveIfLarge(reply: FastifyReply, memory: Buffer | number): void {
  const bytes = typeof memory === 'number' ? memory : memory.length;
  if (bytes >= LARGE_BYTES) reply.server.unsent.reserve(reply, memory);
}

/** The body of an answer. */
export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Sends an answer that must not be stored. */
export function sendJson(reply: FastifyReply, value: unknown): void {
  sendJsonBytes(reply, jsonBytes(value));
}

export function sendJsonBytes(reply: FastifyReply, body: Buffer): void {
  reserveIfLarge(reply, body);
  sendReservedJson(reply, body);
}

/** Sends an answer that must not be stored, and whose memory is reserved if it is large. */
export function sendReservedJson(reply: FastifyReply, body: Buffer): void {
  sendEncoded(reply, { type: JSON_UTF8, bytes: body });
}

/** A body with its media type. */
export interface EncodedBody {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Does the same for a body of another type. */
export function sendEncoded(reply: FastifyReply, { type, bytes }: EncodedBody): void {
  reply
    .header('cache-control', 'no-store')
    .header('content-type', type)
    .send(type === JSON_UTF8 ? textIfShort(bytes) : bytes);
}

/** Answers that it is done. */
export function sendNothing(reply: FastifyReply): void {
  reply.code(204).header('cache-control', 'no-store').send();
}

export function withJsonHeaders(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('content-type', JSON_UTF8);
}
