import { hash } from 'node:crypto';
import type { Encoding } from '@plugin-config/server';
import type { FastifyInstance } from 'fastify';
import type { EncodedResponses } from '../responses/response-cache.ts';
import { sendResponse, type TaggedResponse } from '../responses/send-response.ts';
import { preferredEncoding, sendEncoded } from '../responses/send-encoded.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { openapiDocument } from './document.ts';
import { madeOnce } from './made-once.ts';

/** Serves the OpenAPI document. */
export function schemaRoutes(app: FastifyInstance, settings: { readonly publicUrl: string | null }): void {
  const documentResponse = madeOnce((): TaggedResponse => {
    const body = Buffer.from(JSON.stringify(openapiDocument(settings)));
    return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
  });
  const kept = keepEach();
  app.route({
    method: READ_METHODS,
    url: '/api/schema',
    handler: (request, reply) => {
      const response = documentResponse();
      const encoding = preferredEncoding(request, response);
      if (encoding === null) return sendResponse(request, reply, response);
      return sendEncoded(request, reply, response, { encoding, kept });
    },
  });
}

/** Keeps each encoding of the one response. */
function keepEach(): EncodedResponses {
  const made = new Map<Encoding, TaggedResponse>();
  return {
    find: (_plain, encoding) => made.get(encoding),
    async make(plain, encoding, compressed) {
      const response = await compressed();
      if (response !== plain) made.set(encoding, response);
      return response;
    },
  };
}
