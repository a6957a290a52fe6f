import type { ManagedBy, Once } from '@plugin-config/domain';
import {
  reserveIfLarge,
  COMPRESSED_MIN_BYTES,
  JSON_UTF8,
  textIfShort,
  varyByEncoding,
  type Encoding,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { knownTag } from './entity-tag.ts';

/** A finished response: its bytes and their entity tag. */
export interface TaggedResponse {
  readonly body: Buffer;
  readonly etag: string;
  /** The cursor after a list, which clients know as the version of the family. */
  readonly familyCursor?: string;
  /** Who owns the record, if the response is a single one. */
  readonly managedBy?: ManagedBy | null;
  /** Absent if the bytes are the plain text. */
  readonly encoded?: {
    readonly encoding: Encoding;
    /** The tag of the plain text. */
    readonly of: string;
  };
}

/** Sends a response that the caller may cache and revalidate. */
export function sendResponse(request: FastifyRequest, reply: FastifyReply, response: TaggedResponse): void {
  const { body, etag, encoded, familyCursor, managedBy } = response;
  const known = request.raw.headers['if-none-match'];
  const tag = known === undefined ? null : knownTag(known, etag, encoded?.of);
  if (tag === null) reserveIfLarge(reply, body);
  reply.header('etag', tag ?? etag).header('cache-control', 'private, no-cache');
  if (managedBy != null)
    reply.header('x-managed-by', managedBy.manager).header('x-managed-key', managedBy.key);
  if (familyCursor !== undefined) reply.header('x-family-version', familyCursor);
  if (encoded !== undefined || body.length >= COMPRESSED_MIN_BYTES) varyByEncoding(reply);
  if (tag !== null) reply.code(304).send();
  else {
    if (encoded !== undefined) reply.header('content-encoding', encoded.encoding);
    reply.header('content-type', JSON_UTF8).send(encoded === undefined ? textIfShort(body) : body);
  }
}

/** Marks a response as that of an earlier request with the same `Idempotency-Key`. */
export function replayed(reply: FastifyReply, { isFirst }: Pick<Once<unknown>, 'isFirst'>): FastifyReply {
  return isFirst ? reply : reply.header('idempotent-replayed', 'true');
}
