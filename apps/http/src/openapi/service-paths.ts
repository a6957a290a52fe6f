import {
  errorBody,
  etag,
  exchangedToken,
  exchangeRejection,
  health,
  ifNoneMatch,
  retryAfter,
  tokenExchange,
} from '@plugin-config/contract';
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
  '/api/auth/token': {
    post: {
      ...open(
        'exchange_token',
        'Exchange a token of an identity provider',
        'In the form of RFC 8693, for pipelines without a stored key. A trust says which tokens are accepted. Each is exchanged once, ' +
          'and errors are in the form of RFC 6749.',
        {
          200: responseOf({ description: 'A short-lived token of the trust.', body: exchangedToken }),
          400: responseOf({
            description: 'The request or the token is not accepted.',
            body: z.union([exchangeRejection, errorBody]),
          }),
          413: responseOf({ description: 'The body is too large.', body: exchangeRejection }),
          429: responseOf({
            description: 'Too many requests of the address have failed.',
            body: exchangeRejection,
            headers: { 'Retry-After': retryAfter },
          }),
          500: responseOf({ description: 'An unexpected error occurred.', body: exchangeRejection }),
          503: responseOf({
            description: 'The keys of the issuer, or the database, cannot be read. Try again later.',
            body: exchangeRejection,
            headers: { 'Retry-After': retryAfter },
          }),
        },
        [REJECTED.tooSlow, REJECTED.headersTooLarge],
      ),
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: tokenExchange } },
      },
    },
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
  errors = COMMON_ERRORS,
): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: ['Service'],
    summary,
    description,
    security: [],
    responses: { ...responses, ...rejections(errors) },
  };
}
