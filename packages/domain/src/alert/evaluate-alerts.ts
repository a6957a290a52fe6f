import type { Clock } from '../kernel/clock.ts';
import type { NextTurn, Task } from '../task/task-queue.ts';
import { SERVICE } from '../project/project.ts';
import { CALM, evaluate, isSameState, type AlertState } from './alert-state.ts';
import { windowStart, type Alert } from './alert.ts';
import { readingOf, type Sample } from './reading.ts';
import type { ClosingReason, IncidentReason } from '../vocabulary/vocabulary.ts';

/** A record, what its window shows, and the state of the alert. */
export interface EvaluatedRecord {
  /** The negative id of a project for a signal about its family, here and below. */
  readonly recordId: number;
  readonly presence: 'enabled' | 'disabled' | 'deleted';
  readonly updatedAt: Date;
  readonly state: AlertState;
  readonly sample: Sample;
}

/** A new state of a record, and what happens to its incident. */
export interface Transition {
  readonly recordId: number;
  readonly state: AlertState;
  readonly effect:
    | { readonly kind: 'open'; readonly value: number | null }
    | { readonly kind: 'close'; readonly reason: IncidentReason }
    | null;
}

/** An alert that is being evaluated. Stores no more once it has been changed, or the task of its project claimed again. */
export interface AlertEvaluation {
  readonly alert: Alert;
  /** The end of the windows. */
  readonly at: Date;
  /** If the alert was changed or deleted, why all its incidents are closed, without reading its records; otherwise null. */
  readonly closing: ClosingReason | null;
  /**
   * Returns the ids of the records after this one, in order and in chunks: records with a state and, unless the alert is closing,
   * records that may breach its rule.
   */
  chunks(after: number): Promise<Iterable<readonly number[]>>;
  /**
   * Resolves to null if that takes too long for several records, which must then be read in smaller chunks. Of an alert on all
   * projects, leaves out a record that takes too long alone.
   */
  read(recordIds: readonly number[]): Promise<readonly EvaluatedRecord[] | null>;
  /**
   * Stores states and incidents. An alert with the action `disable` also disables each record with a new incident, and closes
   * the incident as `disabled`; a record that somebody else has just disabled is skipped. Resolves to false if the alert has been
   * changed, or the task claimed again.
   */
  store(transitions: readonly Transition[]): Promise<boolean>;
  /** Stores when the alert was evaluated. A changed alert can be evaluated from then on, and a deleted one is gone. */
  finish(): Promise<void>;
}

export interface AlertEvaluations {
  /** Returns what the task of a project has to evaluate, in the order of the alerts: a changed alert is closed, then evaluated. */
  ofProject(task: Task, at: Date): Promise<readonly AlertEvaluation[]>;
}

export interface EvaluationMeter {
  evaluated(seconds: number): void;
  failed(alert: Alert, error: unknown): void;
}

interface Dependencies {
  readonly evaluations: AlertEvaluations;
  readonly clock: Clock;
  readonly meter: EvaluationMeter;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
}

const TURN_MS = 60_000;
/** How long a project is evaluated before the next one gets its turn. */
const SLICE_MS = 1_000;

/** The point at which the next slice continues: the alert, its last record that was evaluated, and the size of its chunks. */
interface Progress {
  readonly alertId: number;
  readonly recordId: number;
  readonly size: number;
  /** The time that the alert has taken so far. */
  readonly ms: number;
}

/**
 * Evaluates the alerts of a project once a minute, a chunk of records at a time. A chunk that takes too long to read is halved, and
 * after a second the task goes to the end of the queue, so a project with much data does not delay the others. An alert that cannot
 * be evaluated is evaluated again a minute later, like all others. Returns when the task is due next.
 */
export async function evaluateAlerts(
  { evaluations, clock, meter, elapsed }: Dependencies,
  task: Task,
  signal: { readonly aborted: boolean },
): Promise<NextTurn> {
  const at = clock.now();
  const { since, ...from } = progressOf(task, at);
  const all = await evaluations.ofProject(task, at);
  const end = elapsed() + SLICE_MS;
  const left = all.filter(({ alert }) => alert.id >= from.alertId);
  let start = left[0]?.alert.id === from.alertId ? from : FIRST;
  const isOver = (): boolean => signal.aborted || elapsed() > end;
  const pause = ({ alertId, recordId, size, ms }: Progress): NextTurn => ({
    dueInMs: 0,
    payload: [since, alertId, recordId, size, ms].join(' '),
  });
  for (const evaluation of left) {
    const alertId = evaluation.alert.id;
    if (evaluation !== left[0] && isOver()) return pause({ ...FIRST, alertId });
    const began = elapsed() - start.ms;
    try {
      for await (const step of evaluateAlert(evaluation, start)) {
        if (isOver()) return pause({ ...step, alertId, ms: Math.round(elapsed() - began) });
      }
      meter.evaluated((elapsed() - began) / 1000);
    } catch (error) {
      meter.failed(evaluation.alert, error);
    }
    start = FIRST;
  }
  const dueInMs = since + TURN_MS - clock.now().getTime();
  return { dueInMs: Math.min(TURN_MS, Math.max(0, dueInMs)), payload: '' };
}

const FIRST: Progress = {
  alertId: 0,
  recordId: -Number.MAX_SAFE_INTEGER,
  size: Number.POSITIVE_INFINITY,
  ms: 0,
};

function progressOf({ payload }: Task, at: Date): Progress & { readonly since: number } {
  const numbers = payload === null || payload === '' ? [] : payload.split(' ').map(Number);
  const [since = at.getTime(), alertId = 0, recordId = FIRST.recordId, size = FIRST.size, ms = 0] = numbers;
  return { since, alertId, recordId, size, ms };
}

/** Yields before each chunk but the first. */
async function* evaluateAlert(
  evaluation: AlertEvaluation,
  { recordId: after, size: first }: Progress,
): AsyncGenerator<Pick<Progress, 'recordId' | 'size'>> {
  let [recordId, size] = [after, first];
  let isFirst = true;
  for (const recordIds of await evaluation.chunks(after)) {
    for (let start = 0; start < recordIds.length;) {
      if (!isFirst) yield { recordId, size };
      isFirst = false;
      const chunk = recordIds.slice(start, start + size);
      const transitions = await transitionsOf(evaluation, chunk);
      if (transitions === null) {
        size = Math.ceil(chunk.length / 2);
        continue;
      }
      if (transitions.length > 0 && !(await evaluation.store(transitions))) return;
      // The data of one project does not slow down the next projects.
      if (evaluation.alert.projectId === SERVICE) size *= 2;
      start += chunk.length;
      recordId = chunk.at(-1) ?? recordId;
    }
  }
  await evaluation.finish();
}

/** Resolves to null if the chunk is too large. */
async function transitionsOf(
  evaluation: AlertEvaluation,
  recordIds: readonly number[],
): Promise<readonly Transition[] | null> {
  const { alert, at, closing } = evaluation;
  if (closing !== null) {
    const effect = { kind: 'close', reason: closing } as const;
    return recordIds.map((recordId) => ({ recordId, state: CALM, effect }));
  }
  const records = await evaluation.read(recordIds);
  return records?.flatMap((record) => transitionOf(alert, record, at) ?? []) ?? null;
}

/** Returns null if nothing changes. */
export function transitionOf(
  alert: Alert,
  { recordId, presence, updatedAt, state, sample }: EvaluatedRecord,
  at: Date,
): Transition | null {
  if (presence !== 'enabled') {
    if (isSameState(state, CALM)) return null;
    return { recordId, state: CALM, effect: state.firing ? { kind: 'close', reason: presence } : null };
  }
  const reading = readingOf(alert, sample, { start: windowStart(alert, at), updatedAt });
  const step = evaluate(alert, state, reading);
  if (step.effect === 'close')
    return { recordId, state: step.state, effect: { kind: 'close', reason: 'recovered' } };
  if (step.effect === 'open') {
    const value = reading.kind === 'breached' ? reading.value : null;
    return { recordId, state: step.state, effect: { kind: 'open', value } };
  }
  return isSameState(state, step.state) ? null : { recordId, state: step.state, effect: null };
}
