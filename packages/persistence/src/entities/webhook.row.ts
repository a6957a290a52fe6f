import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import {
  DELIVERY_STATES,
  DISABLED_REASONS,
  type DeliveryState,
  type DeliveryType,
  type DisabledReason,
  type WebhookEvent,
} from '@plugin-config/domain';
import { listed } from './families-in-sql.ts';
import { ofFamily, ProjectRow } from './project.row.ts';

export const WebhookRow = defineEntity({
  name: 'WebhookRow',
  tableName: 'webhook',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    project: p.manyToOne(ProjectRow).createForeignKeyConstraint(false),
    /** The URL and the secrets, encrypted. */
    target: p.blob().$type<Buffer>(),
    events: p.array<WebhookEvent>(),
    enabled: p.boolean(),
    disabledReason: p.text().$type<DisabledReason>().strictNullable(),
    version: p.bigint('number'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    lastDeliveredAt: p.datetime(3).strictNullable(),
    /** Since when all attempts have failed; null if the last one succeeded. */
    failingSince: p.datetime(3).strictNullable(),
    /** No later than the next attempt of a pending delivery is due; `infinity` if there is none. */
    dueAt: p.datetime(6),
    /** While an attempt is running, when others may assume that its worker is dead. */
    leasedUntil: p.datetime(6).strictNullable(),
    claims: p.bigint('number').defaultRaw('0'),
  },
  indexes: [
    { name: 'webhook_project_index', properties: ['project', 'id'] },
    { name: 'webhook_due_index', properties: ['dueAt', 'id'], where: 'enabled' },
  ],
  checks: [
    {
      name: 'webhook_disabled_check',
      expression: `disabled_reason is null or disabled_reason in (${listed(DISABLED_REASONS)}) and not enabled`,
    },
  ],
});

export type WebhookRow = InferEntity<typeof WebhookRow>;

export const WebhookDeliveryRow = defineEntity({
  name: 'WebhookDeliveryRow',
  tableName: 'webhook_delivery',
  properties: {
    /** In the order of the events. */
    number: p.bigint('number').primary().generated('by default as identity'),
    id: p.uuid().defaultRaw('gen_random_uuid()').unique('webhook_delivery_id_key'),
    project: p.manyToOne(ProjectRow).createForeignKeyConstraint(false),
    webhookId: p.bigint('number'),
    /** Identifies the event, which each webhook gets once. */
    eventKey: p.text(),
    type: p.text().$type<DeliveryType>(),
    payload: p.text(),
    state: p.text().$type<DeliveryState>().defaultRaw(`'pending'`),
    attempts: p.integer().default(0),
    createdAt: p.datetime(3),
    dueAt: p.datetime(6).strictNullable(),
    finishedAt: p.datetime(3).strictNullable(),
    lastStatus: p.integer().strictNullable(),
    lastError: p.text().strictNullable(),
    lastResponse: p.text().strictNullable(),
  },
  uniques: [{ name: 'webhook_delivery_event_key', properties: ['webhookId', 'eventKey'] }],
  indexes: [
    { name: 'webhook_delivery_number_index', properties: ['project', 'webhookId', 'number'] },
    {
      name: 'webhook_delivery_due_index',
      properties: ['webhookId', 'dueAt', 'number'],
      where: 'due_at is not null',
    },
    { name: 'webhook_delivery_created_index', properties: ['createdAt', 'number'] },
  ],
  checks: [
    { name: 'webhook_delivery_state_check', expression: `state in (${listed(DELIVERY_STATES)})` },
    { name: 'webhook_delivery_pending_check', expression: `(state = 'pending') = (due_at is not null)` },
    { name: 'webhook_delivery_finished_check', expression: `(state = 'pending') = (finished_at is null)` },
  ],
});

export type WebhookDeliveryRow = InferEntity<typeof WebhookDeliveryRow>;

/** How far the history of a family has been queued. Exists while a webhook is enabled that wants its events. */
export const WebhookCursorRow = defineEntity({
  name: 'WebhookCursorRow',
  tableName: 'webhook_cursor',
  primaryKeys: ['family'],
  properties: {
    family: ofFamily().primary(),
    familyVersion: p.bigint('number'),
    activityId: p.bigint('number'),
  },
});
