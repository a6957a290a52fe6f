import type { Clock } from '../kernel/clock.ts';
import { CALM, evaluate, isSameState, type AlertState } from './alert-state.ts';
import { windowStart, type Alert } from './alert.ts';
import { readingOf, type Sample } from './reading.ts';
import type { ClosingReason, IncidentReason } from '../vocabulary/vocabulary.ts';

/** A record, what its window shows, and the state of the alert. */
export interface EvaluatedRecord {
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

/** An alert that is being evaluated. Nothing is stored once it has been changed or claimed again. */
export interface AlertEvaluation {
  readonly alert: Alert;
  /** The end of the windows. */
  readonly at: Date;
  /** If the alert was changed or deleted, why all its incidents are closed, without reading its records; otherwise null. */
  readonly closing: ClosingReason | null;
  /** Returns the ids of the records in chunks: those with a state and, unless the alert is closing, the enabled ones. */
  chunks(): Promise<Iterable<readonly number[]>>;
  /** Resolves to null if that takes too long for several records, which must then be read in smaller chunks. */
  read(recordIds: readonly number[]): Promise<readonly EvaluatedRecord[] | null>;
  /**
   * Stores states and incidents. An alert with the action `disable` also disables each record with a new incident, and closes
   * the incident as `disabled`; a record that somebody else has just disabled is skipped. Resolves to false if the alert has been
   * changed or claimed again.
   */
  store(transitions: readonly Transition[]): Promise<boolean>;
  /** Stores when the alert was evaluated. A changed alert can be evaluated from then on, and a deleted one is gone. */
  finish(): Promise<void>;
}

export interface AlertEvaluations {
  /** Runs the work unless another worker evaluates alerts. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Claims the alert that has been due longest in each project except these. It is due again a minute later. */
  claim(exceptProjects: readonly number[], at: Date): Promise<readonly AlertEvaluation[]>;
}

/** Receives the outcome of each evaluation. */
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

/**
 * Evaluates all due alerts, a chunk of records at a time, round robin by project. A chunk that takes too long to read is halved, so
 * a project with much data does not delay the others. If an alert cannot be evaluated, it is due again a minute later, like all
 * others.
 */
export async function evaluateAlerts(
  { evaluations, clock, ...dependencies }: Dependencies,
  signal: { readonly aborted: boolean },
): Promise<void> {
  await evaluations.exclusively(async () => {
    const running = new Map<number, AsyncIterator<void>>();
    for (;;) {
      for (const evaluation of await evaluations.claim([...running.keys()], clock.now())) {
        running.set(evaluation.alert.projectId, measured(dependencies, evaluation));
      }
      if (running.size === 0) return;
      for (const [projectId, steps] of running) {
        if (signal.aborted) return;
        const { done } = await steps.next();
        if (done === true) running.delete(projectId);
      }
    }
  });
}

async function* measured(
  { meter, elapsed }: Omit<Dependencies, 'evaluations' | 'clock'>,
  evaluation: AlertEvaluation,
): AsyncGenerator<void> {
  let ms = 0;
  const steps = evaluateAlert(evaluation);
  try {
    for (;;) {
      const start = elapsed();
      const { done } = await steps.next();
      ms += elapsed() - start;
      if (done === true) break;
      yield;
    }
    meter.evaluated(ms / 1000);
  } catch (error) {
    meter.failed(evaluation.alert, error);
  }
}

async function* evaluateAlert(evaluation: AlertEvaluation): AsyncGenerator<void> {
  let size = Number.POSITIVE_INFINITY;
  let isFirst = true;
  for (const recordIds of await evaluation.chunks()) {
    for (let start = 0; start < recordIds.length;) {
      if (!isFirst) yield;
      isFirst = false;
      const chunk = recordIds.slice(start, start + size);
      const transitions = await transitionsOf(evaluation, chunk);
      if (transitions === null) size = Math.ceil(chunk.length / 2);
      else if (transitions.length > 0 && !(await evaluation.store(transitions))) return;
      else start += chunk.length;
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
