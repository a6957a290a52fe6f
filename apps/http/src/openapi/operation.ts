import {
  COMMON_EVENTS,
  commonHeaders,
  dryRunParameters,
  hasDryRun,
  pathParams,
  requestHeaders,
  responseHeaders,
  type ResponseDefinition,
  type Endpoint,
} from '@plugin-config/contract';
import * as z from 'zod';
import type {
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { namedExamples, rejectionsOf } from './rejections.ts';

export const SECURITY_SCHEME = 'apiKey';

export function operation(endpoint: Endpoint, tag: string): ZodOpenApiOperationObject {
  const { operationId, summary, needs } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    ...describe(endpoint),
    security:
      needs === 'page' ? [] : alternativesOf(endpoint).map((scopes) => ({ [SECURITY_SCHEME]: scopes })),
    requestParams: paramsOf(endpoint),
    ...bodyOf(endpoint),
    responses: { ...responsesOf(endpoint), ...rejectionsOf(endpoint) },
  };
}

/** Returns the scopes of which one is enough, each as a list. */
function alternativesOf({ scope, orScope }: Endpoint): string[][] {
  if (scope === null) return [[]];
  return orScope === undefined ? [[scope]] : [[scope], [orScope]];
}

function responsesOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const { responses, condition, events } = endpoint;
  return Object.fromEntries(
    Object.entries({
      ...responses,
      ...(condition === 'If-None-Match' && {
        304: { description: NOT_MODIFIED, headers: responses[200]?.headers ?? {} },
      }),
    }).map(([status, { headers, ...rest }]) => [
      status,
      {
        ...responseOf({ ...rest, headers: { ...headers, ...responseHeaders(endpoint) } }),
        ...(events !== undefined && status === '200' && { content: contentOf(events) }),
      },
    ]),
  );
}

const NOT_MODIFIED = 'The response that you have is still current.';

/** A stream is unbounded, but the linter requires a maximum length. */
const STREAM_MAX = Number.MAX_SAFE_INTEGER;

/** OpenAPI 3.1 cannot describe the events of a stream, so the text lists them and `x-events` refers to their schemas. */
function contentOf(events: NonNullable<Endpoint['events']>): ZodOpenApiContentObject {
  const all = { ...events, ...COMMON_EVENTS };
  const lines = Object.entries(all).map(([name, data]) => {
    const fields = Object.keys(data instanceof z.ZodObject ? data.shape : {}).map((field) => `\`${field}\``);
    return `- \`${name}\` (${fields.join(', ') || 'no fields'}): ${data.meta()?.description ?? ''}`;
  });
  const description = `Server-sent events, each with a JSON object as its data:\n\n${lines.join('\n')}`;
  return {
    'text/event-stream': {
      schema: z.string().meta({ description, pattern: String.raw`^[\s\S]*$`, maxLength: STREAM_MAX }),
      'x-events': Object.fromEntries(
        Object.entries(all).map(([name, data]) => [
          name,
          { $ref: `#/components/schemas/${data.meta()?.id}` },
        ]),
      ),
    },
  };
}

export function responseOf({ description, body, headers }: ResponseDefinition): ZodOpenApiResponseObject {
  return {
    description,
    headers: z.object({ ...commonHeaders, ...headers }),
    ...(body !== undefined && { content: { 'application/json': { schema: body } } }),
  };
}

function describe({
  description,
  scope,
  orScope,
  keyOnly,
  unbound,
  needs,
}: Endpoint): Pick<ZodOpenApiOperationObject, 'description'> {
  const need =
    needs === 'page'
      ? OWN_PAGE
      : scope === null
        ? keyOnly === true
          ? 'Any valid key is enough, but no session or token.'
          : 'Any valid key is enough.'
        : scopeNeed(scope, orScope, unbound);
  return { description: description === undefined ? need : `${description}\n\n${need}` };
}

const OWN_PAGE =
  'The request must come from a page of this service, according to `Origin` and `Sec-Fetch-Site`.';

function scopeNeed(scope: string, orScope: Endpoint['orScope'], unbound: Endpoint['unbound']): string {
  const other = orScope === undefined ? '' : ` or \`${orScope}\``;
  return `The key needs the scope \`${scope}\`${other}${unbound === true ? ', and must not be bound to projects' : ''}.`;
}

function bodyOf({ body }: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (body === undefined) return {};
  const examples = Object.entries(body.examples).map(([summary, value]) => ({ summary, value }));
  const content = { 'application/json': { schema: body.schema, examples: namedExamples(examples) } };
  return { requestBody: { required: body.optional !== true, content } };
}

function paramsOf(endpoint: Endpoint): ZodOpenApiParameters {
  const { query: declared } = endpoint;
  const path = pathParams(endpoint);
  const query = hasDryRun(endpoint) ? withDryRun(declared) : declared;
  const header = requestHeaders(endpoint);
  return {
    ...(path !== undefined && { path }),
    ...(query !== undefined && { query }),
    ...(Object.keys(header).length > 0 && { header: z.object(header) }),
  };
}

function withDryRun(query: Endpoint['query'] = z.object({})): z.ZodObject {
  if (!(query instanceof z.ZodObject)) throw new Error('The query schema of a write must be an object.');
  return query.extend(dryRunParameters);
}
