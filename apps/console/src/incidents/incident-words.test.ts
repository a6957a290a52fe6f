import { expect, test } from 'vitest';
import { breachText } from './incident-words.ts';

for (const [signal, value, text] of [
  ['delivery_rate', 0.99999, '99.9% of deliveries succeeded'],
  ['log', 1, 'An error in the log'],
  ['log', 1500, 'At least 1,500 errors in the log'],
  ['error', null, 'The plugin reported an error'],
  ['silence', null, 'No deliveries and no log entries'],
  ['runtime', 1, 'A runtime cannot run it'],
  ['runtime', 2, '2 runtimes cannot run it'],
] as const) {
  test(`an incident of ${signal} reads "${text}"`, () => {
    expect(breachText({ signal, value })).toBe(text);
  });
}
