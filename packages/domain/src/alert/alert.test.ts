import { expect, test } from 'vitest';
import { anAlert } from './alert.fixture.ts';
import { changeRule, checkRule, isBroken, isSameRule, startsOver, type AlertRule } from './alert.ts';

const MINUTE_MS = 60_000;
const later = (minutes: number): Date => new Date(anAlert().createdAt.getTime() + minutes * MINUTE_MS);

test.each<Partial<AlertRule>>([
  {},
  { threshold: 0 },
  { threshold: 1, minSamples: 0 },
  { signal: 'log', threshold: 10_000, recordId: 7 },
  { signal: 'silence', threshold: null, windowMinutes: 1440 },
  { signal: 'error', threshold: null, family: 'pipeline_transformation_configs' },
  { family: 'pipeline_transformation_configs' },
  { signal: 'runtime', threshold: null, family: 'pipeline_transformation_configs', windowMinutes: 5 },
  { signal: 'offline', threshold: null, family: 'pipeline_transformation_configs' },
  { signal: 'offline', threshold: 1000 },
  { required: { n: 10, m: 10 }, action: 'disable', enabled: false },
])('accepts the rule %o', (given) => {
  expect(() => checkRule(anAlert(given))).not.toThrow();
});

test.each<readonly [attr: string, code: string, given: Partial<AlertRule>]>([
  ['name', 'blank', { name: ' \n' }],
  ['name', 'max_length', { name: 'é'.repeat(201) }],
  ['name', 'invalid_input', { name: 'two\nlines' }],
  ['name', 'invalid_input', { name: 'right \u202e left' }],
  ['signal', 'invalid_input', { family: 'pipeline_transformation_configs', signal: 'log', threshold: 1 }],
  [
    'signal',
    'invalid_input',
    { family: 'pipeline_transformation_configs', signal: 'silence', threshold: null },
  ],
  ['record', 'invalid_input', { signal: 'offline', threshold: 1, recordId: 7 }],
  ['action', 'invalid_input', { signal: 'offline', threshold: 1, action: 'disable' }],
  ['threshold', 'invalid_input', { signal: 'offline', threshold: 0 }],
  ['threshold', 'required', { threshold: null }],
  ['threshold', 'required', { signal: 'log', threshold: null }],
  ['threshold', 'invalid_input', { threshold: 1.01 }],
  ['threshold', 'invalid_input', { threshold: Number.NaN }],
  ['threshold', 'invalid_input', { signal: 'log', threshold: 0 }],
  ['threshold', 'invalid_input', { signal: 'log', threshold: 10_001 }],
  ['threshold', 'invalid_input', { signal: 'log', threshold: 1.5 }],
  ['threshold', 'invalid_input', { signal: 'error', threshold: 1 }],
  ['window_minutes', 'invalid_input', { windowMinutes: 4 }],
  ['window_minutes', 'invalid_input', { windowMinutes: 1441 }],
  ['min_samples', 'invalid_input', { minSamples: -1 }],
  ['min_samples', 'invalid_input', { minSamples: 1_000_001 }],
  ['for', 'invalid_input', { required: { n: 0, m: 1 } }],
  ['for', 'invalid_input', { required: { n: 3, m: 2 } }],
  ['for', 'invalid_input', { required: { n: 1, m: 11 } }],
])('rejects a wrong %s as %s: %o', (attr, code, given) => {
  expect(() => checkRule(anAlert(given))).toThrow(expect.objectContaining({ attr, code }));
});

test('a change keeps the fields that it leaves out', () => {
  const rule = changeRule(anAlert(), { signal: 'log', threshold: 5, name: undefined });
  expect(rule).toEqual({ ...anAlert(), signal: 'log', threshold: 5 });
});

test('a change must leave a valid rule', () => {
  expect(() => changeRule(anAlert(), { signal: 'error' })).toThrow(
    expect.objectContaining({ attr: 'threshold' }),
  );
});

test('rules with equal fields are the same', () => {
  expect(isSameRule(changeRule(anAlert(), { required: { n: 2, m: 3 } }), anAlert())).toBe(true);
  expect(isSameRule(changeRule(anAlert(), { required: { n: 1, m: 3 } }), anAlert())).toBe(false);
  expect(isSameRule(changeRule(anAlert(), { name: 'Other' }), anAlert())).toBe(false);
});

test('an alert starts over if anything but its name changes', () => {
  const changed = (change: Partial<AlertRule>) => startsOver(changeRule(anAlert(), change), anAlert());
  expect(changed({ name: 'Other' })).toBe(false);
  for (const change of [
    { threshold: 0.9 },
    { action: 'disable' },
    { enabled: false },
    { recordId: 7 },
  ] as const)
    expect([change, changed({ ...change, name: 'Other' })]).toEqual([change, true]);
});

test('an alert is broken an hour after its last evaluation, or after its last change', () => {
  expect(isBroken(anAlert(), later(59))).toBe(false);
  expect(isBroken(anAlert(), later(60))).toBe(true);
  expect(isBroken(anAlert({ enabled: false }), later(60))).toBe(false);
  expect(isBroken(anAlert({ evaluatedAt: later(1) }), later(60))).toBe(false);
  expect(isBroken(anAlert({ evaluatedAt: later(1) }), later(61))).toBe(true);
  expect(isBroken(anAlert({ evaluatedAt: later(1), updatedAt: later(500) }), later(559))).toBe(false);
});
