import { expect, test } from 'vitest';
import { barsOf, dayBeforeText, concernsOf, successText } from './overview-figures.ts';

const FINE = {
  incidents: { open: 0, newest: [] },
  families: [
    { family: 'plugin_configs', enabled: 4, disabled: 1, failing: 0, invalid: 0, outdated: 0 },
    {
      family: 'pipeline_transformation_configs',
      enabled: 2,
      disabled: 0,
      failing: 0,
      invalid: 0,
      outdated: 0,
    },
  ],
  runtimes: { online: 2, behind: 0, failed: 0, silent: 0 },
  webhooks: { disabled: 0 },
} as const;

test('nothing needs attention while all problem counts are zero', () => {
  expect(concernsOf(FINE as never, 2)).toEqual([]);
});

test('each problem links to its list, incidents first', () => {
  const [plugins, transformations] = FINE.families;
  const overview = {
    incidents: { open: 2, newest: [] },
    families: [
      { ...plugins, failing: 1, invalid: 2, outdated: 3 },
      { ...transformations, failing: 1200 },
    ],
    runtimes: { online: 3, behind: 1, failed: 2, silent: 1 },
    webhooks: { disabled: 1 },
  };
  expect(concernsOf(overview as never, 2)).toEqual([
    { text: '2 open incidents', href: '/projects/2/incidents' },
    { text: '1 plugin shows an error', href: '/projects/2/plugin_configs?errors=true' },
    {
      text: '1,200 transformations show an error',
      href: '/projects/2/pipeline_transformation_configs?errors=true',
    },
    { text: '2 plugins have an invalid configuration', href: '/projects/2/plugin_configs?valid=false' },
    { text: '2 runtimes have failed', href: '/projects/2/plugin_configs/runtimes' },
    { text: '1 runtime went silent', href: '/projects/2/plugin_configs/runtimes' },
    { text: '1 runtime is behind', href: '/projects/2/plugin_configs/runtimes' },
    { text: '1 webhook was disabled, since it failed', href: '/projects/2/webhooks' },
    { text: '3 plugins have an outdated version', href: '/projects/2/plugin_configs?outdated=true' },
  ]);
});

test('only a full share of deliveries is shown as 100%', () => {
  expect(successText({ successes: 99_999, failures: 1 })).toBe('99.9%');
  expect(successText({ successes: 5, failures: 0 })).toBe('100%');
  expect(successText({ successes: 0, failures: 0 })).toBe('–');
});

test('the day before is described for comparison', () => {
  expect(dayBeforeText({ successes: 1998, failures: 2 })).toBe('day before: 99.9% of 2,000');
  expect(dayBeforeText({ successes: 0, failures: 0 })).toBe('none the day before');
});

test('bars are shares of the highest one', () => {
  const start = '2026-03-02T00:00:00.000Z';
  expect(barsOf([0, 5, 10].map((count) => ({ start, count }))).map(({ share }) => share)).toEqual([
    0, 0.5, 1,
  ]);
  expect(barsOf([{ start, count: 0 }])).toEqual([{ start: Date.parse(start), count: 0, share: 0 }]);
});
