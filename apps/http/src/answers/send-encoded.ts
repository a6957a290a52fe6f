import type { FamilyRef } from '@plugin-config/domain';
import {
  accessOf,
  acceptedEncoding,
  compress,
  COMPRESSED_MIN_BYTES,
  type Encoding,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerCache, EncodedAnswers } from './answer-cache.ts';
import { encodedTag, knownTag } from './entity-tag.ts';
import { sendAnswer, type Answer } from './send-answer.ts';

/** The encoding that the caller prefers for this answer; null for its plain bytes. */
export function preferredEncoding(request: FastifyRequest, { body }: Answer): Encoding | null {
  return body.length < COMPRESSED_MIN_BYTES ? null : acceptedEncoding(request.raw.headers['accept-encoding']);
}

/** Sends an answer of a family in the encoding that the caller prefers, which is cached beside it. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: Answer,
  { answers, family }: { readonly answers: AnswerCache; readonly family: FamilyRef },
): void | Promise<void> {
  const encoding = preferredEncoding(request, plain);
  if (encoding === null) return sendAnswer(request, reply, plain);
  const kept = answers.encoded(family, accessOf(request).cacheVersion);
  return sendEncoded(request, reply, plain, { encoding, kept });
}

/** Sends the encoded form of an answer. Resolves later only if it has to be compressed first. */
export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: Answer,
  { encoding, kept }: { readonly encoding: Encoding; readonly kept: EncodedAnswers },
): void | Promise<void> {
  const found = kept.find(plain, encoding);
  if (found !== undefined) return sendAnswer(request, reply, found);
  const known = request.raw.headers['if-none-match'];
  if (known !== undefined && knownTag(known, plain.etag) !== null) return sendAnswer(request, reply, plain);
  return kept
    .make(plain, encoding, () => encodedAnswer(plain, encoding))
    .then((answer) => sendAnswer(request, reply, answer));
}

/** Sends an answer that is not cached, in the encoding that the caller prefers. */
export async function sendUncached(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: Answer,
): Promise<void> {
  const encoding = preferredEncoding(request, plain);
  sendAnswer(request, reply, encoding === null ? plain : await encodedAnswer(plain, encoding));
}

/** The plain answer while too many others are being compressed. */
async function encodedAnswer(plain: Answer, encoding: Encoding): Promise<Answer> {
  const body = await compress(plain.body, encoding);
  if (body === null) return plain;
  return { ...plain, body, etag: encodedTag(plain.etag, encoding), encoded: { encoding, of: plain.etag } };
}
