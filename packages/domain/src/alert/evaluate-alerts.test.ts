import { expect, test } from 'vitest';
import { anAlert } from './alert.fixture.ts';
import { CALM, type AlertState } from './alert-state.ts';
import { transitionOf, type EvaluatedRecord } from './evaluate-alerts.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const ALERT = anAlert({ signal: 'error', threshold: null, required: { n: 1, m: 2 } });
const FIRING: AlertState = { recent: [true, true], firing: true };

function transition(given: Partial<EvaluatedRecord>) {
  const record: EvaluatedRecord = {
    recordId: 7,
    presence: 'enabled',
    updatedAt: AT,
    state: CALM,
    sample: { count: 0, successes: 0 },
    ...given,
  };
  return transitionOf(ALERT, record, AT);
}

const BREACH = { count: 1, successes: 0 };

test('a record that stays calm has no transition, nor has one that keeps breaching', () => {
  expect(transition({})).toBeNull();
  expect(transition({ state: FIRING, sample: BREACH })).toBeNull();
});

test('a breach opens an incident with its value', () => {
  const state = { recent: [true], firing: true };
  expect(transition({ sample: BREACH })).toEqual({
    recordId: 7,
    state,
    effect: { kind: 'open', value: null },
  });
});

test('a state without an effect on the incident is stored, too', () => {
  const state = { recent: [false, true], firing: true };
  expect(transition({ state: FIRING })).toEqual({ recordId: 7, state, effect: null });
});

test('the incident closes when the record recovers', () => {
  const state = { recent: [false, true], firing: true };
  const effect = { kind: 'close', reason: 'recovered' };
  expect(transition({ state })).toEqual({ recordId: 7, state: CALM, effect });
});

test('the incident of a disabled or deleted record closes with that reason, whatever its window shows', () => {
  for (const presence of ['disabled', 'deleted'] as const) {
    const effect = { kind: 'close', reason: presence };
    expect(transition({ presence, state: FIRING, sample: BREACH })).toEqual({
      recordId: 7,
      state: CALM,
      effect,
    });
    const quiet = { recent: [true], firing: false };
    expect(transition({ presence, state: quiet })).toEqual({ recordId: 7, state: CALM, effect: null });
    expect(transition({ presence, sample: BREACH })).toBeNull();
  }
});
