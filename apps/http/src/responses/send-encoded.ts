import type { FamilyRef } from '@plugin-config/domain';
import {
  accessOf,
  acceptedEncoding,
  compress,
  COMPRESSED_MIN_BYTES,
  type Encoding,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseCache } from './response-cache.ts';
import { encodedTag, currentTag } from './entity-tag.ts';
import { sendResponse, type TaggedResponse } from './send-response.ts';

/** Returns the encoding the caller prefers; null for the plain bytes. */
export function preferredEncoding(request: FastifyRequest, { body }: TaggedResponse): Encoding | null {
  return body.length < COMPRESSED_MIN_BYTES ? null : acceptedEncoding(request.raw.headers['accept-encoding']);
}

/**
 * Sends a response of a family in the preferred encoding, and caches the encoded form. Returns a promise only if it has to be
 * compressed first.
 */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: TaggedResponse,
  { responses, family }: { readonly responses: ResponseCache; readonly family: FamilyRef },
): void | Promise<void> {
  const encoding = preferredEncoding(request, plain);
  if (encoding === null) return sendResponse(request, reply, plain);
  const form = { family, at: accessOf(request), plain, encoding };
  const cached = responses.getEncoded(form);
  if (cached !== undefined) return sendResponse(request, reply, cached);
  const ifNoneMatch = request.raw.headers['if-none-match'];
  if (ifNoneMatch !== undefined && currentTag(ifNoneMatch, plain.etag) !== null)
    return sendResponse(request, reply, plain);
  return responses
    .encode(form, () => encodedResponse(plain, encoding))
    .then((response) => sendResponse(request, reply, response));
}

/** Sends a response in the preferred encoding without caching it. */
export async function sendUncached(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: TaggedResponse,
): Promise<void> {
  const encoding = preferredEncoding(request, plain);
  sendResponse(request, reply, encoding === null ? plain : await encodedResponse(plain, encoding));
}

/** Returns the plain response if too many others are being compressed. */
export async function encodedResponse(plain: TaggedResponse, encoding: Encoding): Promise<TaggedResponse> {
  const body = await compress(plain.body, encoding);
  if (body === null) return plain;
  return { ...plain, body, etag: encodedTag(plain.etag, encoding), encoded: { encoding, of: plain.etag } };
}
