import { expect, test } from 'vitest';
import { logLine } from './log-line.ts';

test('a line of our own is a storable entry from the system', () => {
  const line = {
    id: '0195a0b1-c2d3-7e4f-8a6b-7c8d9e0f1a2b',
    timestamp: new Date(5),
    type: 'INFO',
    instanceId: '0195a0b1-c2d3-7e4f-8a6b-7c8d9e0f1a2c',
  };
  expect(logLine({ ...line, record: { id: 42, projectId: 1, plugin: 7 }, message: 'a\0b' })).toEqual({
    ...line,
    recordId: 42,
    projectId: 1,
    plugin: 7,
    source: 'SYSTEM',
    message: 'a\uFFFDb',
  });
});
