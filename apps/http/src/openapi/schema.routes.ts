import { hash } from 'node:crypto';
import type { Encoding } from '@plugin-config/server';
import type { FastifyInstance } from 'fastify';
import type { EncodedAnswers } from '../answers/answer-cache.ts';
import { sendAnswer, type Answer } from '../answers/send-answer.ts';
import { preferredEncoding, sendEncoded } from '../answers/send-encoded.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { openapiDocument } from './document.ts';
import { madeOnce } from './made-once.ts';

/** Serves the OpenAPI document. */
export function schemaRoutes(app: FastifyInstance, settings: { readonly publicUrl: string | null }): void {
  const documentAnswer = madeOnce((): Answer => {
    const body = Buffer.from(JSON.stringify(openapiDocument(settings)));
    return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
  });
  const kept = keepEach();
  app.route({
    method: READ_METHODS,
    url: '/api/schema',
    handler: (request, reply) => {
      const answer = documentAnswer();
      const encoding = preferredEncoding(request, answer);
      if (encoding === null) return sendAnswer(request, reply, answer);
      return sendEncoded(request, reply, answer, { encoding, kept });
    },
  });
}

/** Keeps each encoding of the one answer. */
function keepEach(): EncodedAnswers {
  const made = new Map<Encoding, Answer>();
  return {
    find: (_plain, encoding) => made.get(encoding),
    async make(plain, encoding, compressed) {
      const answer = await compressed();
      if (answer !== plain) made.set(encoding, answer);
      return answer;
    },
  };
}
