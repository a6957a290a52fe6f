import type { WireConfigRecord } from '@plugin-config/contract';
import type { ConfigRecord, RecordRef } from '@plugin-config/domain';
import { accessOf, sendJsonBytes } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { entityTag, recordTagName, type TagName } from '../answers/entity-tag.ts';
import type { Answer } from '../answers/send-answer.ts';

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

/** The answer for one record, the same for every request. */
export function recordAnswer(record: ConfigRecord, lineage: string): Answer {
  return taggedAnswer(recordTagName(record, lineage), record.version, presentRecord(record));
}

/** Sends a record after a request that may have changed it. Never compressed: it repeats text of the request. */
export function sendChangedRecord(reply: FastifyReply, record: ConfigRecord): void {
  const { body, etag } = recordAnswer(record, accessOf(reply.request).lineage);
  sendJsonBytes(reply.header('etag', etag), body);
}

export function taggedAnswer(of: TagName, version: number, value: unknown): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return { body, etag: entityTag(of, version, body) };
}
