import type { AlertRule } from './alert.ts';

/** The result of one evaluation of a record. An inconclusive one had too little data. */
export type Reading =
  | { readonly kind: 'breached'; readonly value: number | null }
  | { readonly kind: 'fine' }
  | { readonly kind: 'inconclusive' };

export interface AlertState {
  /** Whether each of the last conclusive evaluations was a breach, newest first. */
  readonly recent: readonly boolean[];
  /** Whether an incident is open. */
  readonly firing: boolean;
}

/** The state of a record that has not breached the rule lately. */
export const CALM: AlertState = { recent: [], firing: false };

export interface Step {
  readonly state: AlertState;
  /** What happens to the incident of the record. */
  readonly effect: 'open' | 'close' | null;
}

/** Returns the state after a reading. An inconclusive one changes nothing. */
export function evaluate(
  { required: { n, m } }: Pick<AlertRule, 'required'>,
  state: AlertState,
  reading: Reading,
): Step {
  if (reading.kind === 'inconclusive') return { state, effect: null };
  const recent = [reading.kind === 'breached', ...state.recent].slice(0, m);
  const breaches = recent.filter((isBreach) => isBreach).length;
  const firing = breaches >= n;
  const effect = firing ? 'open' : 'close';
  return {
    state: breaches === 0 ? CALM : { recent, firing },
    effect: firing === state.firing ? null : effect,
  };
}

export function isSameState(one: AlertState, other: AlertState): boolean {
  return (
    one.firing === other.firing &&
    one.recent.length === other.recent.length &&
    one.recent.every((isBreach, i) => isBreach === other.recent[i])
  );
}
