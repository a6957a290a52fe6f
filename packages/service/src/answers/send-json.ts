import type { FastifyReply } from 'fastify';

export const JSON_UTF8 = 'application/json; charset=utf-8';

/** What is true of this moment alone. */
export function sendJson(reply: FastifyReply, value: unknown): void {
  sendJsonBytes(reply, Buffer.from(JSON.stringify(value)));
}

export function sendJsonBytes(reply: FastifyReply, body: Buffer): void {
  reply.header('cache-control', 'no-store').header('content-type', JSON_UTF8).send(body);
}
