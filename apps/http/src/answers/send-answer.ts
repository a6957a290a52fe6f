import { claimIfLarge, JSON_UTF8, sendJsonBytes } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from './entity-tag.ts';

/** A finished answer: its bytes and their entity tag. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string;
}

/** Sends an answer that the caller may cache and revalidate. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, { body, etag }: Answer): void {
  const known = request.raw.headers['if-none-match'];
  const isKnown = known !== undefined && matchesTag(known, etag);
  if (!isKnown) claimIfLarge(reply, body);
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (isKnown) reply.code(304).send();
  else reply.header('content-type', JSON_UTF8).send(body);
}

/** Sends a record after a request that may have changed it. */
export function sendChanged(reply: FastifyReply, { body, etag }: Answer): void {
  sendJsonBytes(reply.header('etag', etag), body);
}
