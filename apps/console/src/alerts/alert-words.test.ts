import { expect, test } from 'vitest';
import { conditionOf, durationText, hasPreview, signalsOf } from './alert-words.ts';

const RULE = {
  signal: 'delivery_rate',
  threshold: 0.995,
  window_minutes: 15,
  min_samples: 0,
  for: { n: 1, m: 1 },
} as const;

for (const [rule, text] of [
  [RULE, 'Less than 99.5% of deliveries succeed within 15 minutes'],
  [{ ...RULE, min_samples: 1000 }, 'Less than 99.5% of at least 1,000 deliveries succeed within 15 minutes'],
  [{ ...RULE, signal: 'log', threshold: 1, window_minutes: 60 }, 'An error in the log within 1 hour'],
  [
    { ...RULE, signal: 'log', threshold: 2000, for: { n: 2, m: 3 } },
    '2,000 or more errors in the log within 15 minutes, in 2 of 3 checks',
  ],
  [
    { ...RULE, signal: 'silence', threshold: null, window_minutes: 1440, for: { n: 3, m: 3 } },
    'No deliveries and no log entries within 24 hours, in 3 checks in a row',
  ],
  [{ ...RULE, signal: 'error', threshold: null }, 'An error is reported within 15 minutes'],
  [{ ...RULE, signal: 'outdated', threshold: null }, 'Its version is outdated'],
] as const) {
  test(`a rule reads "${text}"`, () => {
    expect(conditionOf(rule)).toBe(text);
  });
}

test('minutes are shown as hours if they are whole', () => {
  expect([0, 1, 59, 60, 90, 120].map(durationText)).toEqual([
    '0 minutes',
    '1 minute',
    '59 minutes',
    '1 hour',
    '90 minutes',
    '2 hours',
  ]);
});

test('transformations have only the signals that need no log', () => {
  expect(signalsOf('pipeline_transformation_configs')).toEqual([
    'delivery_rate',
    'error',
    'runtime',
    'offline',
    'outdated',
  ]);
  expect(signalsOf('plugin_configs').filter(hasPreview)).toEqual(['delivery_rate', 'log', 'silence']);
});
