import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Acme Corp', 'AC'],
  ['GeoIP', 'Ge'],
  ['acme-eu_west', 'ae'],
  ['(old) Webhook', 'We'],
  ['Tenant 7', 'T7'],
  ['Tenant 10', '10'],
  ['Tenant 120', '20'],
  ['T01', '01'],
  ['日本', '日本'],
  ['X', 'X'],
  ['', ''],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
