import { defineEntity, p } from '@mikro-orm/core';
import {
  ALERT_ACTIONS,
  CLOSING_REASONS,
  INCIDENT_REASONS,
  SIGNALS,
  type AlertRule,
  type ClosingReason,
  type Family,
  type IncidentReason,
  type Signal,
} from '@plugin-config/domain';
import { listed } from './families-in-sql.ts';

export const AlertRow = defineEntity({
  name: 'AlertRow',
  tableName: 'alert',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    /** `SERVICE` for an alert on all projects. */
    projectId: p.bigint('number'),
    family: p.text().$type<Family>(),
    name: p.text(),
    /** Null for each record of the family. */
    recordId: p.bigint('number').strictNullable(),
    plugin: p.integer().strictNullable(),
    signal: p.text().$type<Signal>(),
    threshold: p.double().$type<number>().strictNullable(),
    windowMinutes: p.integer(),
    minSamples: p.integer(),
    requiredN: p.integer(),
    requiredM: p.integer(),
    action: p.text().$type<AlertRule['action']>(),
    enabled: p.boolean(),
    version: p.bigint('number'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    evaluatedAt: p.datetime(3).strictNullable(),
    /** Why its incidents are still to be closed; null if they are not. */
    closing: p.text().$type<ClosingReason>().strictNullable(),
  },
  indexes: [{ name: 'alert_project_index', properties: ['projectId', 'id'] }],
  checks: [
    { name: 'alert_signal_check', expression: `signal in (${listed(SIGNALS)})` },
    { name: 'alert_action_check', expression: `action in (${listed(ALERT_ACTIONS)})` },
    { name: 'alert_closing_check', expression: `closing in (${listed(CLOSING_REASONS)})` },
    { name: 'alert_required_check', expression: 'required_n >= 1 and required_n <= required_m' },
  ],
});

/** What an alert remembers of a record that has breached its rule lately. Other records have no row. */
export const AlertStateRow = defineEntity({
  name: 'AlertStateRow',
  tableName: 'alert_state',
  primaryKeys: ['alertId', 'recordId'],
  properties: {
    alertId: p.bigint('number').primary().autoincrement(false),
    /** The negative id of the project for an alert on a family, as in incidents. */
    recordId: p.bigint('number').primary().autoincrement(false),
    /** The last conclusive evaluations, newest first: 1 for a breach. */
    recent: p.text(),
    firing: p.boolean(),
  },
  checks: [{ name: 'alert_state_recent_check', expression: `recent ~ '^[01]*1[01]*$'` }],
});

export const IncidentRow = defineEntity({
  name: 'IncidentRow',
  tableName: 'incident',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    projectId: p.bigint('number'),
    family: p.text().$type<Family>(),
    alertId: p.bigint('number'),
    /** `SERVICE` for an alert on all projects. */
    alertProjectId: p.bigint('number'),
    alertName: p.text(),
    recordId: p.bigint('number').strictNullable(),
    /** The plugin of the record when the incident was opened; that of the alert if it is on a family. */
    plugin: p.integer().strictNullable(),
    signal: p.text().$type<Signal>(),
    value: p.double().$type<number>().strictNullable(),
    openedAt: p.datetime(3),
    closedAt: p.datetime(3).strictNullable(),
    reason: p.text().$type<IncidentReason>().strictNullable(),
    /** For indexes that list open incidents first. */
    isOpen: p.boolean().generated('(closed_at is null) stored'),
  },
  indexes: [
    { name: 'incident_project_index', properties: ['projectId', 'isOpen', 'id'] },
    { name: 'incident_open_index', properties: ['isOpen', 'id'] },
    { name: 'incident_plugin_index', properties: ['plugin', 'isOpen', 'id'] },
    { name: 'incident_alert_index', properties: ['alertId', 'isOpen', 'id'] },
    { name: 'incident_record_index', properties: ['recordId', 'isOpen', 'id'] },
    { name: 'incident_closed_index', properties: ['closedAt', 'id'], where: 'closed_at is not null' },
  ],
  uniques: [{ name: 'incident_open_key', properties: ['alertId', 'recordId'], where: 'closed_at is null' }],
  checks: [
    { name: 'incident_signal_check', expression: `signal in (${listed(SIGNALS)})` },
    {
      name: 'incident_closed_check',
      expression: `(closed_at is null) = (reason is null) and reason in (${listed(INCIDENT_REASONS)})`,
    },
  ],
});
