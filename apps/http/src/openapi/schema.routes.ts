import { hash } from 'node:crypto';
import type { Encoding } from '@plugin-config/server';
import type { FastifyInstance } from 'fastify';
import { sendResponse, type TaggedResponse } from '../responses/send-response.ts';
import { encodedResponse, preferredEncoding } from '../responses/send-encoded.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { openapiDocument } from './document.ts';
import { lazy } from './lazy.ts';

/** Serves the OpenAPI document. */
export function schemaRoutes(app: FastifyInstance, settings: { readonly publicUrl: string | null }): void {
  const documentResponse = lazy((): TaggedResponse => {
    const body = Buffer.from(JSON.stringify(openapiDocument(settings)));
    return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
  });
  const encoded = new Map<Encoding, TaggedResponse>();
  const encode = async (plain: TaggedResponse, encoding: Encoding): Promise<TaggedResponse> => {
    const response = encoded.get(encoding) ?? (await encodedResponse(plain, encoding));
    if (response !== plain) encoded.set(encoding, response);
    return response;
  };
  app.route({
    method: READ_METHODS,
    url: '/api/schema',
    handler: async (request, reply) => {
      const plain = documentResponse();
      const encoding = preferredEncoding(request, plain);
      sendResponse(request, reply, encoding === null ? plain : await encode(plain, encoding));
    },
  });
}
