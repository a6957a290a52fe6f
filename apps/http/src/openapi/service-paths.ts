import { etag, health, ifNoneMatch } from '@plugin-config/contract';
import * as z from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { responseOf } from './operation.ts';
import { REJECTED, COMMON_ERRORS, rejections } from './rejections.ts';

const document = z.looseObject({ openapi: z.literal('3.1.0') });
/** There are a few series per endpoint. */
const METRICS_MAX = 1024 * 1024;
const metrics = z.string().meta({ maxLength: METRICS_MAX, pattern: String.raw`^(?:(?:[#a-z][^\n]*)?\n)*$` });

/** The paths that do not require a key. */
export const servicePaths: ZodOpenApiPathsObject = {
  '/livez': {
    get: open('check_liveness', 'Check that the process is alive', 'Does not query the database.', {
      200: responseOf({ description: 'The process is alive.', body: health }),
    }),
  },
  '/readyz': {
    get: open('check_readiness', 'Check that the process can serve requests', 'Queries the database.', {
      200: responseOf({ description: 'The process can serve requests.', body: health }),
      ...rejections([REJECTED.unavailable]),
    }),
  },
  '/metrics': {
    get: open('read_metrics', 'Read the metrics', 'For Prometheus.', {
      200: {
        ...responseOf({ description: 'The metrics in the Prometheus text format.' }),
        content: { 'text/plain': { schema: metrics } },
      },
    }),
  },
  '/api/schema': {
    get: {
      ...open(
        'read_schema',
        'Read this document',
        'It is generated from the schemas that validate requests.',
        {
          200: responseOf({ description: 'The OpenAPI document.', body: document, headers: { ETag: etag } }),
          304: responseOf({ description: 'The cached response is still current.', headers: { ETag: etag } }),
        },
      ),
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
    responses: { ...responses, ...rejections(COMMON_ERRORS) },
  };
}
