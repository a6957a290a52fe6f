import { expect, test } from 'vitest';
import { readDryRun, rejectDryRun } from './dry-run.ts';

test.each([
  [{}, false],
  [{ limit: '5', other: 'dry' }, false],
  [{ dry_run: 'false' }, false],
  [{ dry_run: 'true' }, true],
])('%j requests a dry run: %j', (query, expected) => {
  expect(readDryRun(query)).toBe(expected);
});

test.each(['', 'True', 'TRUE', '1', 'yes', 'all', ' true', ['true', 'true'], { a: 'true' }])(
  '%j is neither true nor false',
  (value) => {
    expect(() => readDryRun({ dry_run: value })).toThrow(
      expect.objectContaining({ code: 'invalid_input', attr: 'dry_run' }),
    );
  },
);

test.each([
  'dryrun',
  'dry-run',
  'dryRun',
  'DRY_RUN',
  'Dry_Run',
  'dry.run',
  'dry run',
  'dry_run[]',
  '_dry_run',
  'dry__run',
  'is_dry_run',
  'amp;dry_run',
  'options[dry_run]',
  'dry_runs',
  'dry_run=true',
])('the name "%s" is rejected with any value, alone or next to dry_run', (name) => {
  for (const query of [{ [name]: 'false' }, { dry_run: 'true', [name]: 'true' }])
    expect(() => readDryRun(query)).toThrow('The parameter is called dry_run.');
});

test.each(['1?dry_run=true', '1;dry_run=true', ['1', '2&dry_run=true']])(
  'the value %j of another parameter is rejected, because the query was assembled wrongly',
  (value) => {
    expect(() => readDryRun({ x: value })).toThrow('The parameter is called dry_run.');
  },
);

test('an endpoint without dry runs rejects true and accepts false', () => {
  expect(() => rejectDryRun({ dry_run: 'true' })).toThrow('This request does not support dry runs.');
  expect(() => rejectDryRun({ dry_run: 'false' })).not.toThrow();
});
