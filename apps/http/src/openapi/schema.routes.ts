import { hash } from 'node:crypto';
import type { Encoding } from '@plugin-config/server';
import type { FastifyInstance } from 'fastify';
import type { EncodedResponses } from '../responses/response-cache.ts';
import { sendResponse, type TaggedResponse } from '../responses/send-response.ts';
import { preferredEncoding, sendEncoded } from '../responses/send-encoded.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { openapiDocument } from './document.ts';
import { lazy } from './lazy.ts';

/** Serves the OpenAPI document. */
export function schemaRoutes(app: FastifyInstance, settings: { readonly publicUrl: string | null }): void {
  const documentResponse = lazy((): TaggedResponse => {
    const body = Buffer.from(JSON.stringify(openapiDocument(settings)));
    return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
  });
  const cache = encodingCache();
  app.route({
    method: READ_METHODS,
    url: '/api/schema',
    handler: (request, reply) => {
      const response = documentResponse();
      const encoding = preferredEncoding(request, response);
      if (encoding === null) return sendResponse(request, reply, response);
      return sendEncoded(request, reply, response, { encoding, cache });
    },
  });
}

/** Caches each encoding of the single response. */
function encodingCache(): EncodedResponses {
  const encoded = new Map<Encoding, TaggedResponse>();
  return {
    find: (_plain, encoding) => encoded.get(encoding),
    async make(plain, encoding, compressed) {
      const response = await compressed();
      if (response !== plain) encoded.set(encoding, response);
      return response;
    },
  };
}
