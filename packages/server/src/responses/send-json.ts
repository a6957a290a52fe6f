import type { FastifyReply } from 'fastify';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** Smaller bodies fit into the buffers of the connection. */
const LARGE_BYTES = 64 * 1024;

const TEXT_MAX_BYTES = 1024;

/**
 * Converts a short body to text, which Node sends in one piece with the headers. A long body stays as it is: Node would hold its text
 * twice until the caller reads it.
 */
export function textIfShort(body: Buffer): Buffer | string {
  return body.length < TEXT_MAX_BYTES ? body.toString() : body;
}

/**
 * Reserves memory for a large response until it is sent: for its body, or for the maximum number of bytes it can have. Must be called
 * before headers are set and before a change is stored.
 */
export function reserveIfLarge(reply: FastifyReply, memory: Buffer | number): void {
  const bytes = typeof memory === 'number' ? memory : memory.length;
  if (bytes >= LARGE_BYTES) reply.server.unsent.reserve(reply, memory);
}

export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Sends a response that must not be cached. */
export function sendJson(reply: FastifyReply, value: unknown): void {
  const body = jsonBytes(value);
  reserveIfLarge(reply, body);
  sendReservedJson(reply, body);
}

/** Like `sendJson`, for a body whose memory has been reserved if it is large. */
export function sendReservedJson(reply: FastifyReply, body: Buffer): void {
  sendBody(reply, { type: JSON_UTF8, bytes: body });
}

export interface TypedBody {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Like `sendReservedJson`, for any media type. */
export function sendBody(reply: FastifyReply, { type, bytes }: TypedBody): void {
  reply
    .header('cache-control', 'no-store')
    .header('content-type', type)
    .send(type === JSON_UTF8 ? textIfShort(bytes) : bytes);
}

export function sendNothing(reply: FastifyReply): void {
  reply.code(204).header('cache-control', 'no-store').send();
}
