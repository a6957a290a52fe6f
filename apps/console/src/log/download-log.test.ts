import type { LogEntry, LogQuery, Page } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { downloadLog, DOWNLOAD_ROWS_MAX } from './download-log.ts';
import { compareEntries } from './log-rows.ts';

const NOW = '2026-03-01T00:00:00.000Z';

function entry(number: number, milliseconds: number): LogEntry {
  const timestamp = new Date(Date.parse(NOW) - milliseconds).toISOString();
  return { id: String(number).padStart(8, '0'), timestamp, message: '' } as LogEntry;
}

/** Serves pages of at most `most` entries; `onPage` may change the log after each one. */
function reader(entries: LogEntry[], most: number, onPage: () => void) {
  return async ({ before, limit = 100, offset = 0 }: LogQuery): Promise<Page<LogEntry>> => {
    const all = entries
      .filter(({ timestamp }) => timestamp < String(before))
      .toSorted((a, b) => compareEntries(b, a));
    const results = all.slice(offset, offset + Math.min(limit, most));
    onPage();
    const next = offset + results.length < all.length ? 'next' : null;
    return { count: all.length, next, previous: null, results };
  };
}

test('a download has each entry once, oldest first, despite equal times and new entries', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 900 });
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 300, max: 500 }), async (all, most) => {
      const stored = all.map((time, index) => entry(index, time));
      const log = [...stored];
      let later = 0;
      const read = reader(log, most, () => log.push(entry(1_000_000 + (later += 1), -1000)));
      const { parts, count, isAll } = await downloadLog(read, {}, { now: NOW, onProgress: () => {} });
      const lines = (await new Blob([...parts]).text()).split('\n').slice(0, -1);
      expect(lines.map((line) => (JSON.parse(line) as LogEntry).id)).toEqual(
        stored.toSorted(compareEntries).map(({ id }) => id),
      );
      expect({ count, isAll }).toEqual({ count: stored.length, isAll: true });
    }),
    { numRuns: 30 },
  );
});

test('a download stops at its limit and reports that there is more', async () => {
  const all = Array.from({ length: 500 }, (_, index) => entry(index, 0));
  const read = async ({ before }: LogQuery): Promise<Page<LogEntry>> => {
    const timestamp = new Date(Date.parse(String(before)) - 2).toISOString();
    return { count: 1e6, next: 'next', previous: null, results: all.map((one) => ({ ...one, timestamp })) };
  };
  const { count, isAll } = await downloadLog(read, {}, { now: NOW, onProgress: () => {} });
  expect({ count, isAll }).toEqual({ count: DOWNLOAD_ROWS_MAX, isAll: false });
});
