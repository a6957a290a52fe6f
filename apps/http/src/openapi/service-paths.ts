import { etag, health, ifNoneMatch } from '@plugin-config/contract';
import * as z from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { responseOf } from './operation.ts';
import { REJECTED, REFUSED_EARLY, rejections } from './rejections.ts';

const document = z.looseObject({ openapi: z.literal('3.1.0') });
/** There are a few series for each endpoint. */
const METRICS_MAX = 1024 * 1024;
const metrics = z.string().meta({ maxLength: METRICS_MAX, pattern: String.raw`^(?:(?:[#a-z][^\n]*)?\n)*$` });

/** The paths that need no key. */
export const servicePaths: ZodOpenApiPathsObject = {
  '/livez': {
    get: open('check_liveness', 'Check that the process lives', 'Does not ask the database.', {
      200: responseOf({ description: 'The process lives.', body: health }),
    }),
  },
  '/readyz': {
    get: open('check_readiness', 'Check that the process can do its work', 'Asks the database.', {
      200: responseOf({ description: 'The process can do its work.', body: health }),
      ...rejections([REJECTED.unavailable]),
    }),
  },
  '/metrics': {
    get: open('read_metrics', 'Read the metrics', 'For Prometheus to scrape.', {
      200: {
        ...responseOf({ description: 'In the text format of Prometheus.' }),
        content: { 'text/plain': { schema: metrics } },
      },
    }),
  },
  '/api/schema': {
    get: {
      ...open('read_schema', 'Read this document', 'It follows from the schemas that check the requests.', {
        200: responseOf({ description: 'The OpenAPI document.', body: document, headers: { ETag: etag } }),
        304: responseOf({ description: 'The response that you have is still current.', headers: { ETag: etag } }),
      }),
      requestParams: { header: z.object({ 'If-None-Match': ifNoneMatch }) },
    },
  },
};

function open(
  operationId: string,
  summary: string,
  description: string,
  responses: ZodOpenApiResponsesObject,
): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: ['Service'],
    summary,
    description,
    security: [],
    responses: { ...responses, ...rejections(REFUSED_EARLY) },
  };
}
