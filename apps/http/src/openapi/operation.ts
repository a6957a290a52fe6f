import type { JsonObject, Scope } from '@plugin-config/domain';
import * as z from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { ifMatch, ifNoneMatch, requestId } from './headers.ts';
import { namedExamples } from './named-examples.ts';
import { REFUSED, REFUSED_UNREAD, refusals, type Refused } from './refusals.ts';

export interface Operation {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Any valid key will do where there is none. */
  readonly scope?: Scope;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject | z.ZodPipe<z.ZodObject>;
  readonly condition?: 'If-Match' | 'If-None-Match';
  readonly body?: Body;
  readonly answers: ZodOpenApiResponsesObject;
}

interface Body {
  readonly schema: z.ZodType;
  /** Nothing at all counts as an empty object: it may be left out where that will do. */
  readonly required: boolean;
  readonly examples: Readonly<Record<string, JsonObject>>;
}

export const SECURITY_SCHEME = 'apiKey';

/** One operation that needs a key; what it may be refused for follows from what it takes. */
export function operation(asked: Operation): ZodOpenApiOperationObject {
  const { operationId, tag, summary, scope, answers } = asked;
  return {
    operationId,
    tags: [tag],
    summary,
    ...describe(asked),
    security: [{ [SECURITY_SCHEME]: scope === undefined ? [] : [scope] }],
    requestParams: paramsOf(asked),
    ...bodyOf(asked),
    responses: { ...answers, ...refusals(refusalsOf(asked)) },
  };
}

export function answer(
  description: string,
  schema: z.ZodType,
  headers: Readonly<Record<string, z.ZodType>> = {},
): ZodOpenApiResponseObject {
  return { ...emptyAnswer(description, headers), content: { 'application/json': { schema } } };
}

export function emptyAnswer(
  description: string,
  headers: Readonly<Record<string, z.ZodType>> = {},
): ZodOpenApiResponseObject {
  return { description, headers: z.object({ 'x-request-id': requestId, ...headers }) };
}

function describe({ description, scope }: Operation): Pick<ZodOpenApiOperationObject, 'description'> {
  const need = scope === undefined ? 'Any valid key will do.' : `The key needs the scope \`${scope}\`.`;
  return { description: description === undefined ? need : `${description}\n\n${need}` };
}

function bodyOf({ body }: Operation): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (body === undefined) return {};
  const examples = Object.entries(body.examples).map(([summary, value]) => ({ summary, value }));
  const content = { schema: body.schema, examples: namedExamples(examples) };
  return { requestBody: { required: body.required, content: { 'application/json': content } } };
}

function paramsOf({ path, query, condition }: Operation): ZodOpenApiParameters {
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

function refusalsOf({ path, query, condition, body }: Operation): readonly Refused[] {
  return [
    ...(query === undefined ? [] : [REFUSED.badParameter]),
    ...(body === undefined ? [] : [REFUSED.badBody, REFUSED.tooLarge, REFUSED.unsupportedMediaType]),
    ...(path === undefined ? [] : [REFUSED.forbidden, REFUSED.notFound]),
    ...(condition === 'If-Match' ? [REFUSED.stale] : []),
    ...REFUSED_UNREAD,
    REFUSED.unauthenticated,
    REFUSED.throttled,
    REFUSED.failed,
    REFUSED.unavailable,
  ];
}
