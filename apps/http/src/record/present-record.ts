import type { WireConfigRecord } from '@plugin-config/contract';
import type { ConfigRecord } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { entityTag, recordTagName, type TagName } from '../answers/entity-tag.ts';
import { sendChanged, type Answer } from '../answers/send-answer.ts';

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

/** Sends a record that the request has changed. */
export function sendChangedRecord(reply: FastifyReply, record: ConfigRecord): void {
  sendChanged(reply, recordAnswer(record, accessOf(reply.request).lineage));
}

export function taggedAnswer(of: TagName, version: number, value: unknown): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return { body, etag: entityTag(of, version, body) };
}
