import type { Actor } from '../kernel/author.ts';
import { alreadyExists, DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkLabel } from '../kernel/text.ts';
import { SERVICE } from '../project/project.ts';
import {
  ALERT_LIMITS,
  FAMILY,
  LABEL_MAX,
  type AlertAction,
  type Family,
  type Signal,
} from '../vocabulary/vocabulary.ts';

/** The condition that an alert watches, and when it opens an incident. */
export interface AlertRule {
  readonly name: string;
  readonly family: Family;
  /** Null for each record of the family. */
  readonly recordId: number | null;
  /** Null for records of any plugin. */
  readonly plugin: number | null;
  readonly signal: Signal;
  /** A rate for `delivery_rate`, a number of entries for `log`, of runtimes for `offline` (1 unless given); otherwise null. */
  readonly threshold: number | null;
  readonly windowMinutes: number;
  /** The minimum number of deliveries of a conclusive `delivery_rate`. */
  readonly minSamples: number;
  /** An incident is open while at least `n` of the last `m` conclusive evaluations are breaches. */
  readonly required: { readonly n: number; readonly m: number };
  readonly action: AlertAction;
  readonly enabled: boolean;
}

export interface Alert extends AlertRule {
  readonly id: number;
  /** `SERVICE` for an alert on all projects. */
  readonly projectId: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The last evaluation that succeeded; null before the first. */
  readonly evaluatedAt: Date | null;
}

export const ALERTS_MAX = { project: 100, service: 20 } as const;

export const alertsMaxOf = (projectId: number): number =>
  projectId === SERVICE ? ALERTS_MAX.service : ALERTS_MAX.project;

const MINUTE_MS = 60_000;
const BROKEN_AFTER_MS = 60 * MINUTE_MS;

const HAS_THRESHOLD: ReadonlySet<Signal> = new Set(['delivery_rate', 'log', 'offline']);

/** Whether a signal is about a family instead of its records. */
export const isOfFamily = (signal: Signal): boolean => signal === 'offline';

const NEEDS_LOG: ReadonlySet<Signal> = new Set(['log', 'silence']);

/** @throws DomainError with the name of the field in the API as `attr` */
export function checkRule(rule: AlertRule): void {
  const { name, family, recordId, plugin, signal, windowMinutes, minSamples, required } = rule;
  if (name.trim() === '') throw new DomainError('blank', 'An alert needs a name.', { attr: 'name' });
  checkLabel(name, { attr: 'name', max: LABEL_MAX });
  if (NEEDS_LOG.has(signal) && !FAMILY[family].hasLog) {
    throw invalidInput(
      'signal',
      `The records of ${family} have no log. Use delivery_rate, error, runtime, offline or outdated.`,
    );
  }
  if (recordId !== null && plugin !== null) throw invalidInput('plugin', 'Name either a record or a plugin.');
  checkThreshold(rule);
  checkFamilyAlone(rule);
  requireInteger(windowMinutes, { attr: 'window_minutes', ...ALERT_LIMITS.window });
  requireInteger(minSamples, { attr: 'min_samples', ...ALERT_LIMITS.samples });
  requireInteger(required.m, { attr: 'for', ...ALERT_LIMITS.evaluations });
  requireInteger(required.n, { attr: 'for', min: 1, max: required.m });
}

/** Returns the rule after a change. Undefined fields are kept. */
export function changeRule(
  alert: AlertRule,
  change: { readonly [K in keyof AlertRule]?: AlertRule[K] | undefined },
): AlertRule {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const rule: AlertRule = { ...alert, ...Object.fromEntries(given) };
  checkRule(rule);
  return rule;
}

export function isSameRule({ required, ...rule }: AlertRule, other: AlertRule): boolean {
  const keys = Object.keys(rule) as (keyof typeof rule)[];
  return (
    required.n === other.required.n &&
    required.m === other.required.m &&
    keys.every((key) => rule[key] === other[key])
  );
}

/** Whether a change to the rule closes the incidents of an alert, whose evaluation starts over. A new name does not. */
export function startsOver(rule: AlertRule, before: AlertRule): boolean {
  return !isSameRule({ ...rule, name: before.name }, before);
}

/** Whether the alert should have been evaluated, but was not for an hour. */
export function isBroken({ enabled, evaluatedAt, updatedAt }: Alert, now: Date): boolean {
  const since = Math.max(evaluatedAt?.getTime() ?? 0, updatedAt.getTime());
  return enabled && now.getTime() - since >= BROKEN_AFTER_MS;
}

/** Returns the length of the window that an evaluation looks at. */
export function windowMs({ windowMinutes }: Pick<AlertRule, 'windowMinutes'>): number {
  return windowMinutes * MINUTE_MS;
}

export function windowStart(rule: Pick<AlertRule, 'windowMinutes'>, end: Date): Date {
  return new Date(end.getTime() - windowMs(rule));
}

/** The actor of the changes that an alert makes. No key has its label without a key id. */
export function alertActor({ id, projectId, name }: Pick<Alert, 'id' | 'projectId' | 'name'>): Actor {
  const which = projectId === SERVICE ? `${id} on all projects` : id;
  return { keyId: null, label: `alert ${which}: ${name}` };
}

export function nameTaken(): DomainError {
  return alreadyExists('name', 'There is already an alert with this name.');
}

export function tooManyAlerts(projectId: number): DomainError {
  const message = `At most ${alertsMaxOf(projectId)} alerts are allowed. Delete one first.`;
  return new DomainError('invalid_input', message);
}

export function noSuchRecord({ recordId, family }: AlertRule): DomainError {
  const message = `There is no record ${recordId} in ${family}.`;
  return new DomainError('does_not_exist', message, { attr: 'record' });
}

function checkThreshold({ signal, threshold }: AlertRule): void {
  if (!HAS_THRESHOLD.has(signal)) {
    if (threshold !== null) throw invalidInput('threshold', `The signal ${signal} has no threshold.`);
    return;
  }
  if (threshold === null) {
    if (signal === 'offline') return;
    throw new DomainError('required', `The signal ${signal} needs a threshold.`, { attr: 'threshold' });
  }
  if (signal === 'log') requireInteger(threshold, { attr: 'threshold', ...ALERT_LIMITS.logThreshold });
  else if (signal === 'offline')
    requireInteger(threshold, { attr: 'threshold', ...ALERT_LIMITS.onlineThreshold });
  else if (!(threshold >= 0 && threshold <= 1))
    throw invalidInput('threshold', 'A number from 0 to 1 is required.');
}

/** An alert on the runtimes of a family has no record to name or to disable. */
function checkFamilyAlone({ signal, recordId, action }: AlertRule): void {
  if (!isOfFamily(signal)) return;
  if (recordId !== null)
    throw invalidInput('record', `The signal ${signal} is about a family, not a record.`);
  if (action !== 'notify') throw invalidInput('action', `The signal ${signal} can only notify.`);
}

function requireInteger(
  value: number,
  { attr, min, max }: { readonly attr: string; readonly min: number; readonly max: number },
): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw invalidInput(attr, `An integer from ${min} to ${max} is required.`);
}
