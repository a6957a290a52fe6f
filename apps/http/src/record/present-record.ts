import type { WireConfigRecord } from '@plugin-config/contract';
import { CHUNK_MAX_BYTES, recordBytes, type ConfigRecord, type RecordRef } from '@plugin-config/domain';
import { accessOf, reserveIfLarge, sendReservedJson } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { recordTagName } from '../responses/entity-tag.ts';
import { taggedResponse, type TaggedResponse } from '../responses/send-response.ts';

export function recordPath({ projectId, family, id }: RecordRef): string {
  return `/api/projects/${projectId}/${family}/${id}`;
}

export function presentRecord(record: ConfigRecord): WireConfigRecord {
  return {
    id: record.id,
    plugin: record.plugin,
    enabled: record.enabled,
    order: record.order,
    config: record.config,
    error: record.error,
    team_id: record.projectId,
    plugin_info: record.pluginInfo,
    delivery_rate_24h: record.deliveryRate,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
    name: record.name,
    description: record.description,
    deleted: record.deleted,
  };
}

/** Returns the response for one record, which does not depend on the request. */
export function recordResponse(record: ConfigRecord, timelineId: string): TaggedResponse {
  return taggedResponse(recordTagName(record, timelineId), record.version, presentRecord(record));
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

/** Sends a record whose memory is reserved. Never compressed, because it repeats text from the request. */
export function sendChangedRecord(reply: FastifyReply, record: ConfigRecord): void {
  const { body, etag } = recordResponse(record, accessOf(reply.request).timelineId);
  sendReservedJson(reply.header('etag', etag), body);
}
