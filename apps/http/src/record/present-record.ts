import { configRecord, presenter } from '@plugin-config/contract';
import { CHUNK_MAX_BYTES, recordBytes, type ConfigRecord, type RecordRef } from '@plugin-config/domain';
import { reserveIfLarge, sendReservedJson } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isReplayed } from '../requests/request-key.ts';
import { recordTagName } from '../responses/entity-tag.ts';
import { taggedResponse, type TaggedResponse } from '../responses/send-response.ts';

export function recordPath({ projectId, family, id }: RecordRef): string {
  return `/api/projects/${projectId}/${family}/${id}`;
}

export const presentRecord = presenter(configRecord, {
  team_id: ({ projectId }: ConfigRecord) => projectId,
  delivery_rate_24h: ({ deliveryRate }: ConfigRecord) => deliveryRate,
});

/** Returns the response for one record, which is the same for all requests on one timeline. */
export function recordResponse(request: FastifyRequest, record: ConfigRecord): TaggedResponse {
  return taggedResponse(recordTagName(request, record), record.version, presentRecord(record));
}

/** The memory that a chunk takes as escaped JSON. No record takes more. */
export const CHUNK_MEMORY = 2 * CHUNK_MAX_BYTES;
/** Escaping makes a configuration at most this many times longer. */
const ESCAPED_FACTOR = 2;

/** Reserves the memory of the response in advance, because a stored change must not be rejected. */
export function reserveChangedRecord(
  reply: FastifyReply,
  /** The record before the change; null for a new one. */
  record: ConfigRecord | null,
  bodyBytes = Number(reply.request.headers['content-length'] ?? CHUNK_MEMORY),
): void {
  const bytes = bodyBytes + (record === null ? 0 : recordBytes(record));
  reserveIfLarge(reply, Math.min(CHUNK_MEMORY, ESCAPED_FACTOR * bytes));
}

/** Reserves more memory if the record is from an earlier request: it may have grown since. */
export function reserveReplayed(reply: FastifyReply, record: ConfigRecord): void {
  if (isReplayed(reply)) reserveChangedRecord(reply, record, 0);
}

/** Sends a record whose memory is reserved. Never compressed, because it repeats text from the request. */
export function sendChangedRecord(reply: FastifyReply, record: ConfigRecord, location?: string): void {
  reserveReplayed(reply, record);
  if (location !== undefined) reply.header('location', location);
  const { body, etag } = recordResponse(reply.request, record);
  sendReservedJson(reply.header('etag', etag), body);
}
