import { expect, test } from 'vitest';
import { barPaths } from './bar-paths.ts';

test('successes are stacked on failures, and the highest bar has the full height', () => {
  expect(barPaths({ successes: [0, 3, 12], failures: [0, 1, 4] })).toEqual({
    width: 9,
    failures: 'M3 16h2V15h-2zM6 16h2V12h-2z',
    successes: 'M3 15h2V12h-2zM6 12h2V0h-2z',
  });
});

test('one failure of a thousand deliveries shows, and so does an hour with a single delivery', () => {
  expect(barPaths({ successes: [999, 1], failures: [1, 0] })).toEqual({
    width: 6,
    failures: 'M0 16h2V15h-2z',
    successes: 'M0 15h2V0h-2zM3 16h2V15h-2z',
  });
});

test('hours without deliveries have no bars', () => {
  expect(barPaths({ successes: [0, 0], failures: [0, 0] })).toEqual({
    width: 6,
    failures: '',
    successes: '',
  });
});
