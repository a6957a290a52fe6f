import { webhookHeaders, webhookPayloads } from '@plugin-config/contract';
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

const RESPONSES = {
  '2XX': { description: 'Acknowledges the delivery. Any other response is a failure.' },
  410: { description: 'Disables the webhook.' },
} as const;

/** Describes the requests that the service sends to webhooks. */
export const webhookRequests: ZodOpenApiPathsObject = Object.fromEntries(
  Array.from(webhookPayloads, ([type, payload]) => {
    const post = {
      operationId: type.replaceAll('.', '_'),
      tags: ['Webhooks'],
      summary: payload.meta()?.description ?? '',
      security: [],
      requestParams: { header: z.object(webhookHeaders) },
      requestBody: { required: true, content: { 'application/json': { schema: payload } } },
      responses: RESPONSES,
    };
    return [type, { post }];
  }),
);
