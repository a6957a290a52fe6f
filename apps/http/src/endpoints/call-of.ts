import {
  prefersStrict,
  rejectUnknownFields,
  validate,
  type Endpoint,
  type ItemKind,
} from '@plugin-config/contract';
import {
  notFound,
  type Author,
  type ConfigRecord,
  type Family,
  type FamilyRef,
  type RequestKey,
} from '@plugin-config/domain';
import { accessOf, deadlineOf } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  familyTagName,
  itemTagName,
  preconditionOf,
  recordTagName,
  type TagName,
} from '../responses/entity-tag.ts';
import { pathId } from '../requests/path-id.ts';
import { requestKeyOf } from '../requests/request-key.ts';
import type { EndpointCall } from './handler.ts';

/** Validates an admitted request for its handler. Checks the query and the body before the record, as documented. */
export function callOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  familyName: Family | null,
): EndpointCall<Endpoint> {
  const { query, body, needs, condition, item, scope } = endpoint;
  if (body !== undefined && isStrict(request)) rejectUnknownFields(endpoint, request.body);
  const input = {
    ...(query !== undefined && { query: parseInput(query, request.query) }),
    ...(body !== undefined && {
      body: parseInput(body.schema, request.body === undefined ? {} : request.body),
    }),
  };
  const family = familyName === null ? null : { projectId: accessOf(request).projectId, family: familyName };
  const once = requestKeyOf(request, reply, endpoint, family);
  const record = needs === 'record' ? addressedRecord(request) : null;
  return {
    request,
    reply,
    ...input,
    ...(family !== null && { family }),
    ...(record !== null && { record, current: () => readAgain(request) }),
    ...(scope?.endsWith(':write') === true && {
      author: authorOf(request, once),
      deadline: deadlineOf(request),
    }),
    ...(condition === 'If-Match' && {
      precondition: preconditionOf(request.headers['if-match'], tagNameOf(request, { record, family, item })),
    }),
  };
}

export function isStrict({ raw }: FastifyRequest): boolean {
  const { prefer } = raw.headers;
  return prefer !== undefined && prefersStrict(String(prefer));
}

function parseInput(schema: Parameters<typeof validate>[0], value: unknown): unknown {
  const { error, value: parsed } = validate(schema, value);
  if (error !== undefined) throw error;
  return parsed;
}

function addressedRecord(request: FastifyRequest): ConfigRecord {
  const { record } = accessOf(request);
  if (record === null) throw notFound();
  return record;
}

async function readAgain(request: FastifyRequest): Promise<ConfigRecord> {
  await accessOf(request).admitAgain();
  return addressedRecord(request);
}

/** Returns the author of a change by a request. */
export function authorOf(request: FastifyRequest, once?: RequestKey): Author {
  const { actor, at } = accessOf(request);
  return { actor, requestId: request.id, at, once };
}

interface Conditional {
  readonly record: ConfigRecord | null;
  readonly family: FamilyRef | null;
  readonly item: ItemKind | undefined;
}

function tagNameOf(request: FastifyRequest, { record, family, item }: Conditional): TagName {
  if (record !== null) return recordTagName(request, record);
  if (family !== null) return familyTagName(request, family);
  if (item === undefined) throw new Error('If-Match requires a record, a family or an item.');
  return itemTagName(request, item, pathId(request, `${item}_id`));
}
