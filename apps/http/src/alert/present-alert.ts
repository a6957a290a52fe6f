import type {
  alertEndpoints,
  InputOf,
  WireAlert,
  WireAlertPreview,
  WireIncident,
} from '@plugin-config/contract';
import {
  isBroken,
  type Alert,
  type AlertPreview,
  type AlertRule,
  type changeRule,
  type Incident,
} from '@plugin-config/domain';

type Endpoints = typeof alertEndpoints;
type BodyOf<Name extends 'createAlert' | 'previewAlert' | 'updateAlert'> = InputOf<Endpoints[Name]>['body'];

export function ruleOf({
  record: recordId,
  window_minutes: windowMinutes,
  min_samples: minSamples,
  for: required,
  ...rule
}: BodyOf<'createAlert'>): AlertRule {
  return { ...rule, recordId, windowMinutes, minSamples, required };
}

/** The name of a rule that is previewed before it has one. */
const UNNAMED = 'Preview';

export function previewedRule({ name = UNNAMED, ...body }: BodyOf<'previewAlert'>): AlertRule {
  return ruleOf({ ...body, name });
}

type RuleChange = Parameters<typeof changeRule>[1];

export function changeOf({
  record: recordId,
  window_minutes: windowMinutes,
  min_samples: minSamples,
  for: required,
  ...change
}: BodyOf<'updateAlert'>): RuleChange {
  return { ...change, recordId, windowMinutes, minSamples, required };
}

export function presentAlert(alert: Alert, at: Date): WireAlert {
  return {
    id: alert.id,
    name: alert.name,
    family: alert.family,
    record: alert.recordId,
    signal: alert.signal,
    threshold: alert.threshold,
    window_minutes: alert.windowMinutes,
    min_samples: alert.minSamples,
    for: { ...alert.required },
    action: alert.action,
    enabled: alert.enabled,
    version: alert.version,
    evaluated_at: alert.evaluatedAt?.toISOString() ?? null,
    broken: isBroken(alert, at),
    created_at: alert.createdAt.toISOString(),
    updated_at: alert.updatedAt.toISOString(),
  };
}

export function presentIncident(incident: Incident): WireIncident {
  return {
    id: incident.id,
    alert_id: incident.alertId,
    alert_name: incident.alertName,
    family: incident.family,
    record_id: incident.recordId,
    signal: incident.signal,
    value: incident.value,
    opened_at: incident.openedAt.toISOString(),
    closed_at: incident.closedAt?.toISOString() ?? null,
    reason: incident.reason,
  };
}

export function presentPreview({ count, items }: AlertPreview): WireAlertPreview {
  return {
    count,
    results: items.map(({ recordId, value, openedAt, closedAt }) => ({
      record_id: recordId,
      value,
      opened_at: openedAt.toISOString(),
      closed_at: closedAt?.toISOString() ?? null,
    })),
  };
}
