import type { FamilyRef } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerCache } from './answer-cache.ts';
import { sendAnswer, type Answer } from './send-answer.ts';
import { preferredEncoding, sendEncoded } from './send-encoded.ts';

/** Sends an answer of a family in the encoding that the caller prefers, which is cached beside it. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  plain: Answer,
  { answers, family }: { readonly answers: AnswerCache; readonly family: FamilyRef },
): void | Promise<void> {
  const encoding = preferredEncoding(request, plain);
  if (encoding === null) return sendAnswer(request, reply, plain);
  const kept = answers.encoded(family, accessOf(request).freshness);
  return sendEncoded(request, reply, plain, { encoding, kept });
}
