import type { ManagedBy } from '@plugin-config/domain';
import {
  reserveIfLarge,
  COMPRESSED_MIN_BYTES,
  JSON_UTF8,
  jsonBytes,
  textIfShort,
  varyByEncoding,
  type Encoding,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentTag, entityTag, type TagName } from './entity-tag.ts';

/** A serialised response and its entity tag. */
export interface TaggedResponse {
  readonly body: Buffer;
  readonly etag: string;
  /** The cursor after a list or a record, sent as `X-Family-Version`. */
  readonly familyCursor?: string;
  /** The owner of a single record. */
  readonly managedBy?: ManagedBy | null;
  /** The schema version that the configuration of a record follows. */
  readonly schemaVersion?: number;
  /** The version of the plugin that a record is pinned to. */
  readonly pinnedVersion?: string | null;
  /** Whether the schema of its plugin rejects an enabled record. */
  readonly isInvalid?: boolean;
  /** Absent if the body is not compressed. */
  readonly encoded?: {
    readonly encoding: Encoding;
    /** The entity tag of the plain body. */
    readonly of: string;
  };
}

export function taggedResponse(name: TagName, version: number, value: unknown): TaggedResponse {
  const body = jsonBytes(value);
  return { body, etag: entityTag(name, version, body) };
}

/** Sends a response the caller may cache and revalidate. */
export function sendResponse(request: FastifyRequest, reply: FastifyReply, response: TaggedResponse): void {
  const { body, etag, encoded, familyCursor, managedBy, isInvalid = false } = response;
  const { schemaVersion, pinnedVersion } = response;
  const ifNoneMatch = request.raw.headers['if-none-match'];
  const tag = ifNoneMatch === undefined ? null : currentTag(ifNoneMatch, etag, encoded?.of);
  if (tag === null) reserveIfLarge(reply, body);
  reply.header('etag', tag ?? etag).header('cache-control', 'private, no-cache');
  if (managedBy != null)
    reply.header('x-managed-by', managedBy.manager).header('x-managed-key', managedBy.key);
  if (schemaVersion !== undefined) reply.header('x-schema-version', String(schemaVersion));
  if (pinnedVersion != null) reply.header('x-plugin-version', pinnedVersion);
  if (isInvalid) reply.header('x-config-valid', 'false');
  if (familyCursor !== undefined) reply.header('x-family-version', familyCursor);
  if (encoded !== undefined || body.length >= COMPRESSED_MIN_BYTES) varyByEncoding(reply);
  if (tag !== null) reply.code(304).send();
  else {
    if (encoded !== undefined) reply.header('content-encoding', encoded.encoding);
    reply.header('content-type', JSON_UTF8).send(encoded === undefined ? textIfShort(body) : body);
  }
}
