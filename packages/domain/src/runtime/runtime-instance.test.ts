import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoints, isStorable } from '../kernel/text.ts';
import { boundReport, isOnline, type RuntimeReport } from './runtime-instance.ts';

const REPORT: RuntimeReport = {
  version: 'v1',
  status: 'applied',
  error: null,
  failed: [],
  labels: {},
  plugins: null,
};

test('long errors are truncated after 10,000 characters, with the number of missing characters', () => {
  const { error, failed } = boundReport({
    ...REPORT,
    error: '🚀'.repeat(10_007),
    failed: [{ id: 5, error: 'x'.repeat(20_000) }],
  });
  expect(error).toBe(`${'🚀'.repeat(10_000)}… [7 more characters]`);
  expect(failed).toEqual([{ id: 5, error: `${'x'.repeat(10_000)}… [10000 more characters]` }]);
});

test('a bounded report can be stored, and bounding a short one changes nothing', () => {
  const report = fc.record({
    version: fc.string(),
    status: fc.constantFrom('applied' as const, 'failed' as const),
    error: fc.option(fc.string({ unit: 'grapheme' })),
    failed: fc.array(fc.record({ id: fc.nat(), error: fc.string({ unit: 'grapheme' }) })),
    labels: fc.dictionary(fc.string(), fc.string()),
  });
  fc.assert(
    fc.property(report, (given) => {
      const bounded = boundReport(given);
      const isKept = given.error === null || isStorable(given.error);
      expect(bounded.error).toBe(isKept ? given.error : bounded.error);
      for (const { error } of bounded.failed) {
        expect(isStorable(error)).toBe(true);
        expect(codePoints(error)).toBeLessThanOrEqual(10_050);
      }
    }),
  );
});

test('a runtime is online until three minutes after its last report', () => {
  const lastSeenAt = new Date('2026-03-01T09:30:00Z');
  expect(isOnline({ lastSeenAt }, lastSeenAt)).toBe(true);
  expect(isOnline({ lastSeenAt }, new Date('2026-03-01T09:33:00.000Z'))).toBe(true);
  expect(isOnline({ lastSeenAt }, new Date('2026-03-01T09:33:00.001Z'))).toBe(false);
});
