import { etag, health, ifNoneMatch } from '@plugin-config/contract';
import * as z from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { answerOf } from './operation.ts';
import { REFUSED, REFUSED_UNREAD, refusals } from './refusals.ts';

const document = z.looseObject({ openapi: z.string() });

/** What the service tells of itself, to whoever asks. */
export const servicePaths: ZodOpenApiPathsObject = {
  '/livez': {
    get: open('check_liveness', 'Tell whether the process lives', {
      200: answerOf({ description: 'It lives.', body: health }),
    }),
  },
  '/readyz': {
    get: open('check_readiness', 'Tell whether the process can do its work now', {
      200: answerOf({ description: 'It can.', body: health }),
      ...refusals([REFUSED.unavailable]),
    }),
  },
  '/metrics': {
    get: open('read_metrics', 'Read the metrics', {
      200: {
        ...answerOf({ description: 'In the text format of Prometheus.' }),
        content: { 'text/plain': { schema: z.string() } },
      },
    }),
  },
  '/api/schema': {
    get: {
      ...open('read_schema', 'Read this document', {
        200: answerOf({ description: 'The OpenAPI document.', body: document, headers: { ETag: etag } }),
        304: answerOf({ description: 'It is still what you hold.', headers: { ETag: etag } }),
      }),
      requestParams: { header: z.object({ 'If-None-Match': ifNoneMatch }) },
    },
  },
};

function open(
  operationId: string,
  summary: string,
  responses: ZodOpenApiResponsesObject,
): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: ['Service'],
    summary,
    security: [],
    responses: { ...responses, ...refusals(REFUSED_UNREAD) },
  };
}
