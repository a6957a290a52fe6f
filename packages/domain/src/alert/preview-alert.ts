import type { Clock } from '../kernel/clock.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Page } from '../kernel/page.ts';
import { DAY_MS } from '../log/log-days.ts';
import { CALM, evaluate } from './alert-state.ts';
import { checkRule, type AlertRule } from './alert.ts';
import type { Incident } from './incident.ts';
import { readingOf, type Sample } from './reading.ts';

export const PREVIEW_STEP_MS = 5 * 60_000;
/** The maximum number of records of a preview. */
export const PREVIEW_RECORDS_MAX = 200;
const INCIDENTS_MAX = 100;
/** Alerts are evaluated once a minute. */
const EVALUATIONS_PER_STEP = PREVIEW_STEP_MS / 60_000;

/** What happened to a record in each step. */
export interface RecordHistory {
  readonly recordId: number;
  readonly updatedAt: Date;
  /** The steps with data, by their number in the range. */
  readonly steps: ReadonlyMap<number, Sample>;
}

export interface HistoryRange {
  readonly start: Date;
  /** The number of steps. */
  readonly length: number;
}

/** Reads the data that an alert would have evaluated. */
export interface AlertHistory {
  /**
   * Returns at most `PREVIEW_RECORDS_MAX` of the enabled records with data in the range. A step of the signal `log` counts at most
   * `threshold` entries.
   * @throws DomainError `invalid_input`, attr `record`, if that takes too long
   */
  read(projectId: number, rule: AlertRule, range: HistoryRange): Promise<readonly RecordHistory[]>;
}

export type PreviewedIncident = Pick<Incident, 'recordId' | 'value' | 'openedAt' | 'closedAt'>;

interface Dependencies {
  readonly history: AlertHistory;
  readonly clock: Clock;
}

/**
 * Returns the incidents that an alert would have opened in the last 24 hours, newest first. The window is rounded up to whole
 * steps.
 */
export async function previewAlert(
  { history, clock }: Dependencies,
  projectId: number,
  rule: AlertRule,
): Promise<Page<PreviewedIncident>> {
  checkRule(rule);
  if (rule.signal === 'error' || rule.signal === 'runtime') {
    const message = `The signal ${rule.signal} has no history to preview.`;
    throw new DomainError('invalid_input', message, { attr: 'signal' });
  }
  const window = Math.ceil((rule.windowMinutes * 60_000) / PREVIEW_STEP_MS);
  const evaluated = DAY_MS / PREVIEW_STEP_MS;
  const end = Math.floor(clock.now().getTime() / PREVIEW_STEP_MS) * PREVIEW_STEP_MS;
  const length = evaluated + window - 1;
  const range = { start: new Date(end - length * PREVIEW_STEP_MS), length };
  const records = await history.read(projectId, rule, range);
  const incidents = records.flatMap((record) => incidentsOf(rule, record, { range, window }));
  const newest = incidents.toSorted((a, b) => b.openedAt.getTime() - a.openedAt.getTime() || a.recordId - b.recordId);
  return { count: newest.length, items: newest.slice(0, INCIDENTS_MAX) };
}

function incidentsOf(
  rule: AlertRule,
  { recordId, updatedAt, steps }: RecordHistory,
  { range, window }: { readonly range: HistoryRange; readonly window: number },
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
    if (step < window - 1) continue;
    add(step - window, -1);
    const start = timeAt(step + 1 - window);
    const reading = readingOf(rule, { count: atMost(rule, count), successes }, { start, updatedAt });
    for (let i = 0; i < EVALUATIONS_PER_STEP; i++) {
      const { state: next, effect } = evaluate(rule, state, reading);
      state = next;
      const at = timeAt(step + 1);
      if (effect === 'open') {
        const value = reading.kind === 'breached' ? reading.value : null;
        incidents.push({ recordId, value, openedAt: at, closedAt: null });
      }
      const open = incidents.at(-1);
      if (effect === 'close' && open !== undefined) incidents.splice(-1, 1, { ...open, closedAt: at });
    }
  }
  return incidents;
}

/** Entries are counted up to the threshold, as in an evaluation. */
function atMost({ signal, threshold }: AlertRule, count: number): number {
  return signal === 'log' ? Math.min(count, threshold ?? count) : count;
}
