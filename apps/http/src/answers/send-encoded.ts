import { acceptedEncoding, compress, COMPRESSED_MIN_BYTES, type Encoding } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodedTag, knownTag } from './entity-tag.ts';
import { sendAnswer, type Answer } from './send-answer.ts';

/** Keeps the compressed forms of answers. */
export interface EncodedAnswers {
  find(plain: Answer, encoding: Encoding): Answer | undefined;
  /** Makes an answer and keeps it. Concurrent calls share it. */
  make(plain: Answer, encoding: Encoding, compressed: () => Promise<Answer>): Promise<Answer>;
}

/** The encoding that the caller prefers for this answer; null for its plain bytes. */
export function preferredEncoding(request: FastifyRequest, { body }: Answer): Encoding | null {
  return body.length < COMPRESSED_MIN_BYTES ? null : acceptedEncoding(request.raw.headers['accept-encoding']);
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

/** The plain answer while too many others are being compressed. */
async function encodedAnswer(plain: Answer, encoding: Encoding): Promise<Answer> {
  const body = await compress(plain.body, encoding);
  if (body === null) return plain;
  return { ...plain, body, etag: encodedTag(plain.etag, encoding), encoded: { encoding, of: plain.etag } };
}
