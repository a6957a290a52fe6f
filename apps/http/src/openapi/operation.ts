import {
  ifMatch,
  ifNoneMatch,
  requestId,
  type AnswerDefinition,
  type Endpoint,
} from '@plugin-config/contract';
import * as z from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { namedExamples } from './named-examples.ts';
import { REFUSED, REFUSED_EARLY, refusals, type Refused } from './refusals.ts';

export const SECURITY_SCHEME = 'apiKey';

/** Describes an endpoint. Its possible errors follow from its parameters, body and condition. */
export function operation(endpoint: Endpoint, tag: string): ZodOpenApiOperationObject {
  const { operationId, summary, scope, answers } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    ...describe(endpoint),
    security: [{ [SECURITY_SCHEME]: scope === null ? [] : [scope] }],
    requestParams: paramsOf(endpoint),
    ...bodyOf(endpoint),
    responses: { ...answersOf(answers), ...refusals(refusalsOf(endpoint)) },
  };
}

function answersOf(answers: Endpoint['answers']): ZodOpenApiResponsesObject {
  return Object.fromEntries(Object.entries(answers).map(([status, one]) => [status, answerOf(one)]));
}

export function answerOf({ description, body, headers }: AnswerDefinition): ZodOpenApiResponseObject {
  return {
    description,
    headers: z.object({ 'x-request-id': requestId, ...headers }),
    ...(body !== undefined && { content: { 'application/json': { schema: body } } }),
  };
}

function describe({ description, scope }: Endpoint): Pick<ZodOpenApiOperationObject, 'description'> {
  const need = scope === null ? 'Any valid key is enough.' : `The key needs the scope \`${scope}\`.`;
  return { description: description === undefined ? need : `${description}\n\n${need}` };
}

function bodyOf({ body }: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (body === undefined) return {};
  const examples = Object.entries(body.examples).map(([summary, value]) => ({ summary, value }));
  const content = { schema: body.schema, examples: namedExamples(examples) };
  return { requestBody: { required: body.required, content: { 'application/json': content } } };
}

function paramsOf({ params: path, query, condition }: Endpoint): ZodOpenApiParameters {
  return {
    ...(path !== undefined && { path }),
    ...(query !== undefined && { query }),
    ...(condition !== undefined && { header: CONDITIONS[condition] }),
  };
}

const CONDITIONS = {
  'If-Match': z.object({ 'If-Match': ifMatch }),
  'If-None-Match': z.object({ 'If-None-Match': ifNoneMatch }),
};

function refusalsOf({ params, query, condition, body, conflict }: Endpoint): readonly Refused[] {
  return [
    ...(query === undefined ? [] : [REFUSED.badParameter]),
    ...(body === undefined ? [] : [REFUSED.badBody, REFUSED.tooLarge, REFUSED.unsupportedMediaType]),
    ...(params === undefined ? [] : [REFUSED.forbidden, REFUSED.notFound]),
    ...(condition === 'If-Match' ? [REFUSED.stale] : []),
    ...(conflict === undefined ? [] : [REFUSED[conflict]]),
    ...REFUSED_EARLY,
    REFUSED.unauthenticated,
    REFUSED.throttled,
    REFUSED.failed,
    REFUSED.unavailable,
  ];
}
