import type { Alert, AlertRule, Family, Incident, IncidentReason, Signal } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Parameter } from '../postgres/statement.ts';

/** The columns of an alert `a`. */
export const ALERT = columns((row): Alert => ({
  id: row.number('a.id'),
  projectId: row.number('a.project_id'),
  name: row.text('a.name'),
  family: row.text('a.family') as Family,
  recordId: row.numberOrNull('a.record_id'),
  signal: row.text('a.signal') as Signal,
  threshold: row.numberOrNull('a.threshold'),
  windowMinutes: row.number('a.window_minutes'),
  minSamples: row.number('a.min_samples'),
  required: { n: row.number('a.required_n'), m: row.number('a.required_m') },
  action: row.text('a.action') as Alert['action'],
  enabled: row.flag('a.enabled'),
  version: row.number('a.version'),
  createdAt: row.date('a.created_at'),
  updatedAt: row.date('a.updated_at'),
  evaluatedAt: row.dateOrNull('a.evaluated_at'),
}));

const RULE_VALUES: Readonly<Record<string, (rule: AlertRule) => Parameter>> = {
  name: ({ name }) => name,
  family: ({ family }) => family,
  record_id: ({ recordId }) => recordId,
  signal: ({ signal }) => signal,
  threshold: ({ threshold }) => threshold,
  window_minutes: ({ windowMinutes }) => windowMinutes,
  min_samples: ({ minSamples }) => minSamples,
  required_n: ({ required }) => required.n,
  required_m: ({ required }) => required.m,
  action: ({ action }) => action,
  enabled: ({ enabled }) => enabled,
};

/** The columns of a rule. */
export const RULE = Object.keys(RULE_VALUES);

/** Returns the values of these columns. */
export function ruleValues(rule: AlertRule): readonly Parameter[] {
  return Object.values(RULE_VALUES).map((valueOf) => valueOf(rule));
}

/** The columns of an incident `i`. */
export const INCIDENT = columns((row): Incident => ({
  id: row.number('i.id'),
  alertId: row.number('i.alert_id'),
  alertName: row.text('i.alert_name'),
  family: row.text('i.family') as Family,
  recordId: row.number('i.record_id'),
  signal: row.text('i.signal') as Signal,
  value: row.numberOrNull('i.value'),
  openedAt: row.date('i.opened_at'),
  closedAt: row.dateOrNull('i.closed_at'),
  reason: row.textOrNull('i.reason') as IncidentReason | null,
}));
