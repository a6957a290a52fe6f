import type { FamilyRef } from '@plugin-config/domain';
import {
  accessOf,
  acceptedEncoding,
  compress,
  COMPRESSED_MIN_BYTES,
  type Encoding,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseCache, EncodedResponses } from './response-cache.ts';
import { encodedTag, knownTag } from './entity-tag.ts';
import { sendResponse, type TaggedResponse } from './send-response.ts';

/** The encoding that the caller prefers for this response; null for its plain bytes. */
export function preferredEncoding(request: FastifyRequest, { body }: TaggedResponse): Encoding | null {
  return body.length < COMPRESSED_MIN_BYTES ? null : acceptedEncoding(request.raw.headers['accept-encoding']);
}

/** Sends a response of a family in the encoding that the caller prefers, which is cached beside it. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: TaggedResponse,
  { responses, family }: { readonly responses: ResponseCache; readonly family: FamilyRef },
): void | Promise<void> {
  const encoding = preferredEncoding(request, plain);
  if (encoding === null) return sendResponse(request, reply, plain);
  const kept = responses.encoded(family, accessOf(request).cacheVersion);
  return sendEncoded(request, reply, plain, { encoding, kept });
}

/** Sends the encoded form of a response. Resolves later only if it has to be compressed first. */
export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: TaggedResponse,
  { encoding, kept }: { readonly encoding: Encoding; readonly kept: EncodedResponses },
): void | Promise<void> {
  const found = kept.find(plain, encoding);
  if (found !== undefined) return sendResponse(request, reply, found);
  const known = request.raw.headers['if-none-match'];
  if (known !== undefined && knownTag(known, plain.etag) !== null) return sendResponse(request, reply, plain);
  return kept
    .make(plain, encoding, () => encodedResponse(plain, encoding))
    .then((response) => sendResponse(request, reply, response));
}

/** Sends a response that is not cached, in the encoding that the caller prefers. */
export async function sendUncached(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: TaggedResponse,
): Promise<void> {
  const encoding = preferredEncoding(request, plain);
  sendResponse(request, reply, encoding === null ? plain : await encodedResponse(plain, encoding));
}

/** The plain response while too many others are being compressed. */
async function encodedResponse(plain: TaggedResponse, encoding: Encoding): Promise<TaggedResponse> {
  const body = await compress(plain.body, encoding);
  if (body === null) return plain;
  return { ...plain, body, etag: encodedTag(plain.etag, encoding), encoded: { encoding, of: plain.etag } };
}
