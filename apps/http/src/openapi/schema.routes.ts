import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sendAnswer } from '../answers/send-answer.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { openapiDocument } from './document.ts';

/** Serves the OpenAPI document, made once. */
export function schemaRoutes(app: FastifyInstance, settings: { readonly publicUrl: string | null }): void {
  const body = Buffer.from(JSON.stringify(openapiDocument(settings)));
  const answer = { body, etag: `"${hash('sha1', body, 'base64url')}"` };
  app.route({
    method: READ_METHODS,
    url: '/api/schema',
    handler: (request, reply) => sendAnswer(request, reply, answer),
  });
}
