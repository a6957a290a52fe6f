import { expect, test } from 'vitest';
import { openText, previewText, timelinesOf } from './timelines.ts';

const NOW = Date.parse('2026-03-02T00:00:00.000Z');
const incident = (record_id: number, opened_at: string, closed_at: string | null) => ({
  record_id,
  value: null,
  opened_at,
  closed_at,
});
const RESULTS = [
  incident(1, '2026-03-01T18:00:00.000Z', null),
  incident(2, '2026-03-01T06:00:00.000Z', '2026-03-01T09:00:00.000Z'),
  incident(1, '2026-02-28T23:00:00.000Z', '2026-03-01T06:00:00.000Z'),
];

test('each record has a timeline of the last day, the worst record first', () => {
  expect(timelinesOf({ count: 3, results: RESULTS }, NOW)).toEqual([
    {
      recordId: 1,
      spans: [
        { start: 0.75, length: 0.25 },
        { start: 0, length: 0.25 },
      ],
      minutes: 720,
    },
    { recordId: 2, spans: [{ start: 0.25, length: 0.125 }], minutes: 180 },
  ]);
});

test('how long incidents were open is shown in hours and minutes', () => {
  expect([0, 59, 60, 265].map(openText)).toEqual(['0 min', '59 min', '1 h 0 min', '4 h 25 min']);
});

for (const [count, results, text] of [
  [0, [], 'It would not have opened an incident.'],
  [1, RESULTS.slice(1, 2), 'It would have opened 1 incident for 1 record.'],
  [3, RESULTS, 'It would have opened 3 incidents for 2 records.'],
  [2500, RESULTS, 'It would have opened 2,500 incidents. The newest 3 are shown.'],
] as const) {
  test(`a preview of ${count} incidents is summarised`, () => {
    expect(previewText({ count, results: [...results] })).toBe(text);
  });
}
