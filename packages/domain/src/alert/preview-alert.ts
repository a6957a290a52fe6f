import type { Deadline, StopSignal } from '@plugin-config/flow';
import { invalidInput } from '../kernel/domain-error.ts';
import { DAY_MS } from '../log/log-days.ts';
import { CALM, evaluate, isSameState } from './alert-state.ts';
import { checkRule, windowMs, type AlertRule } from './alert.ts';
import type { Incident } from './incident.ts';
import { readingOf, type Sample } from './reading.ts';
import type { Signal } from '../vocabulary/vocabulary.ts';

export const PREVIEW_STEP_MS = 5 * 60_000;
/** The maximum number of records in a preview. */
export const PREVIEW_RECORDS_MAX = 200;
const INCIDENTS_MAX = 100;
/** Alerts are evaluated once a minute. */
const EVALUATIONS_PER_STEP = PREVIEW_STEP_MS / 60_000;

export interface RecordHistory {
  readonly recordId: number;
  readonly updatedAt: Date;
  /** The steps with data, by their number in the range. */
  readonly steps: ReadonlyMap<number, Sample>;
}

export interface PreviewRange {
  readonly start: Date;
  /** The number of steps. */
  readonly length: number;
}

export interface PreviewLimits {
  readonly deadline: Deadline;
  readonly signal: StopSignal;
}

/** Reads the data that an alert would have evaluated. */
export interface AlertPreviews {
  /**
   * Reads the enabled records in chunks: those with the most data in the range, or with the least for the signal `silence`, and
   * at most `PREVIEW_RECORDS_MAX`. A step of the signal `log` counts at most `threshold` entries. Ends early when the signal is
   * aborted.
   * @throws DomainError `does_not_exist`, attr `record`; `invalid_input`, attr `record`, if that takes too long
   */
  read(
    projectId: number,
    rule: AlertRule,
    range: PreviewRange,
    limits: PreviewLimits,
  ): AsyncIterable<readonly RecordHistory[]>;
}

export interface PreviewedIncident extends Pick<Incident, 'value' | 'openedAt' | 'closedAt'> {
  readonly recordId: number;
}

export interface AlertPreview {
  readonly count: number;
  /** The newest incidents. */
  readonly items: readonly PreviewedIncident[];
}

/** Whether what the signal watches is kept for long enough to preview a rule. */
export function hasHistory(signal: Signal): signal is 'delivery_rate' | 'log' | 'silence' {
  return signal === 'delivery_rate' || signal === 'log' || signal === 'silence';
}

/** Returns the incidents that an alert would have opened in the last 24 hours. Rounds its window up to whole steps. */
export async function previewAlert(
  { previews }: { readonly previews: AlertPreviews },
  projectId: number,
  rule: AlertRule,
  { at, ...limits }: PreviewLimits & { readonly at: Date },
): Promise<AlertPreview> {
  checkRule(rule);
  if (!hasHistory(rule.signal)) {
    const message = `The signal ${rule.signal} has no history to preview.`;
    throw invalidInput('signal', message);
  }
  const window = Math.ceil(windowMs(rule) / PREVIEW_STEP_MS);
  const length = DAY_MS / PREVIEW_STEP_MS + window - 1;
  const end = Math.floor(at.getTime() / PREVIEW_STEP_MS) * PREVIEW_STEP_MS;
  const range = { start: new Date(end - length * PREVIEW_STEP_MS), length };
  const incidents: PreviewedIncident[] = [];
  for await (const records of previews.read(projectId, rule, range, limits)) {
    for (const record of records) incidents.push(...incidentsOf(rule, record, { range, window }));
  }
  const newest = incidents.toSorted(
    (a, b) => b.openedAt.getTime() - a.openedAt.getTime() || a.recordId - b.recordId,
  );
  return { count: newest.length, items: newest.slice(0, INCIDENTS_MAX) };
}

interface Stretch {
  readonly range: PreviewRange;
  /** The number of steps in a window. */
  readonly window: number;
}

/** Evaluates the window that ends with each step, as often as an alert would be evaluated in a step. */
function incidentsOf(
  rule: AlertRule,
  { recordId, updatedAt, steps }: RecordHistory,
  { range, window }: Stretch,
): readonly PreviewedIncident[] {
  const incidents: PreviewedIncident[] = [];
  const timeAt = (step: number): Date => new Date(range.start.getTime() + step * PREVIEW_STEP_MS);
  let state = CALM;
  let [count, successes] = [0, 0];
  const add = (step: number, sign: 1 | -1): void => {
    const sample = steps.get(step);
    count += sign * (sample?.count ?? 0);
    successes += sign * (sample?.successes ?? 0);
  };
  for (let step = 0; step < range.length; step++) {
    add(step, 1);
    add(step - window, -1);
    if (step < window - 1) continue;
    const sample = { count: counted(rule, count), successes };
    const reading = readingOf(rule, sample, { start: timeAt(step + 1 - window), updatedAt });
    for (let i = 0; i < EVALUATIONS_PER_STEP; i++) {
      const { state: next, effect } = evaluate(rule, state, reading);
      if (isSameState(state, next)) break;
      state = next;
      const [at, open] = [timeAt(step + 1), incidents.at(-1)];
      if (effect === 'open') {
        const value = reading.kind === 'breached' ? reading.value : null;
        incidents.push({ recordId, value, openedAt: at, closedAt: null });
      } else if (effect === 'close' && open !== undefined) {
        incidents.splice(-1, 1, { ...open, closedAt: at });
      }
    }
  }
  return incidents;
}

/** An evaluation counts entries up to the threshold. */
function counted({ signal, threshold }: AlertRule, count: number): number {
  return signal === 'log' ? Math.min(count, threshold ?? count) : count;
}
