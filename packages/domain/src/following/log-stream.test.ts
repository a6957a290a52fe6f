import { expect, test } from 'vitest';
import { DomainError } from '../kernel/domain-error.ts';
import { logStream, type LogStreamStart } from './log-stream.ts';

const KEY = { timestamp: new Date(1_700_000_000_123), id: '0197a3f0-1111-7222-8333-944455556666' };

test('a stream that ends while its tail cannot be read does not report the tail as complete', async () => {
  const stopping = {
    aborted: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  const start: LogStreamStart = {
    request: {
      record: { projectId: 1, id: 1 },
      filter: { types: [], source: null, instanceId: null, after: null, before: null, search: null },
      tail: 1,
      cursor: null,
      deadline: { remainingMs: () => 1000 },
    },
    position: { epoch: 1, number: 0 },
    tail: [KEY],
    reset: null,
  };
  const log = {
    find: async (): Promise<never> => {
      stopping.aborted = true;
      throw new DomainError('unavailable', 'An outage.');
    },
  };
  const feeds = { async *after() {} };
  const timer = (work: () => void) => {
    work();
    return () => undefined;
  };
  const steps = await Array.fromAsync(logStream({ log, feeds, timer } as never, start, stopping));
  expect(steps).toHaveLength(1);
});
