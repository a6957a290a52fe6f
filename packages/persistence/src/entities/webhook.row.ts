import { defineEntity, p } from '@mikro-orm/core';
import {
  DISPATCH_STATES,
  DISABLED_REASONS,
  type DispatchState,
  type DispatchType,
  type DisabledReason,
  type WebhookEvent,
} from '@plugin-config/domain';
import { listed } from './families-in-sql.ts';

export const WebhookRow = defineEntity({
  name: 'WebhookRow',
  tableName: 'webhook',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    /** `SERVICE` for a webhook for all projects. */
    projectId: p.bigint('number'),
    /** The URL and the secrets, encrypted. */
    target: p.blob(),
    events: p.array<WebhookEvent>(),
    /** Null for events of all plugins. */
    plugin: p.integer().strictNullable(),
    enabled: p.boolean(),
    disabledReason: p.text().$type<DisabledReason>().strictNullable(),
    version: p.bigint('number'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    lastDeliveredAt: p.datetime(3).strictNullable(),
    /** Since when all attempts have failed; null if the last one succeeded. */
    failingSince: p.datetime(3).strictNullable(),
    /** The account that created it; null without a key. */
    accountId: p.bigint('number').strictNullable(),
    /** Since when it gets no events because too many wait. */
    pausedAt: p.datetime(3).strictNullable(),
  },
  indexes: [{ name: 'webhook_project_index', properties: ['projectId', 'id'] }],
  checks: [
    {
      name: 'webhook_disabled_check',
      expression: `disabled_reason is null or disabled_reason in (${listed(DISABLED_REASONS)}) and not enabled`,
    },
  ],
});

export const WebhookDispatchRow = defineEntity({
  name: 'WebhookDispatchRow',
  tableName: 'webhook_dispatch',
  properties: {
    /** In the order of the events. */
    number: p.bigint('number').primary().generated('by default as identity'),
    id: p.uuid().defaultRaw('gen_random_uuid()').unique('webhook_dispatch_id_key'),
    projectId: p.bigint('number'),
    webhookId: p.bigint('number'),
    /** Identifies the event, which each webhook gets once. */
    eventKey: p.text(),
    type: p.text().$type<DispatchType>(),
    payload: p.text(),
    state: p.text().$type<DispatchState>().defaultRaw(`'pending'`),
    attempts: p.integer().default(0),
    createdAt: p.datetime(3),
    dueAt: p.datetime(6).strictNullable(),
    finishedAt: p.datetime(3).strictNullable(),
    lastStatus: p.integer().strictNullable(),
    lastError: p.text().strictNullable(),
    lastResponse: p.text().strictNullable(),
  },
  uniques: [{ name: 'webhook_dispatch_event_key', properties: ['webhookId', 'eventKey'] }],
  indexes: [
    { name: 'webhook_dispatch_number_index', properties: ['projectId', 'webhookId', 'number'] },
    {
      name: 'webhook_dispatch_ended_index',
      properties: ['webhookId', 'number'],
      where: 'finished_at is not null',
    },
    {
      name: 'webhook_dispatch_finished_index',
      properties: ['finishedAt', 'number'],
      where: 'finished_at is not null',
    },
  ],
  checks: [
    { name: 'webhook_dispatch_state_check', expression: `state in (${listed(DISPATCH_STATES)})` },
    { name: 'webhook_dispatch_pending_check', expression: `(state = 'pending') = (due_at is not null)` },
    { name: 'webhook_dispatch_finished_check', expression: `(state = 'pending') = (finished_at is null)` },
  ],
});
