import { expect, test } from 'vitest';
import { jobEntries } from './job-entries.ts';

const RECORD = { id: 42, projectId: 1, family: 'plugin_configs', plugin: 7 } as const;
const AT = new Date(5);

function writerWith(...ids: readonly string[]) {
  const left = [...ids];
  return {
    randomness: { uuid: () => left.shift() ?? '', bytes: () => new Uint8Array() },
    instanceId: 'worker',
  };
}

test('a job line becomes a log entry from the system, with storable text', () => {
  const lines = [{ type: 'INFO', message: 'a\0b' }];
  expect(jobEntries(writerWith('x'), { record: RECORD, at: AT, lines })).toEqual([
    {
      id: 'x',
      projectId: 1,
      plugin: 7,
      recordId: 42,
      timestamp: AT,
      source: 'SYSTEM',
      type: 'INFO',
      message: 'a\uFFFDb',
      instanceId: 'worker',
    },
  ]);
});

test('ids increase in line order', () => {
  const lines = ['first', 'second', 'third'].map((message) => ({ type: 'INFO', message }));
  const entries = jobEntries(writerWith('b', 'c', 'a'), { record: RECORD, at: AT, lines });
  expect(entries.map(({ id, message }) => [id, message])).toEqual([
    ['a', 'first'],
    ['b', 'second'],
    ['c', 'third'],
  ]);
});

test('a family without logs gets no entries', () => {
  const record = { ...RECORD, family: 'pipeline_transformation_configs' } as const;
  expect(jobEntries(writerWith('x'), { record, at: AT, lines: [{ type: 'INFO', message: '' }] })).toEqual([]);
});
