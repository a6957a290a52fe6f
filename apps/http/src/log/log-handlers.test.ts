import type { LogEntryStore } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { logHandlers } from './log-handlers.ts';
import type { Services } from '../services.ts';

test('a search is aborted if the caller disconnects before it begins', async () => {
  let isStopped: boolean | undefined;
  const page: LogEntryStore['page'] = async (_record, _filter, _page, signal) => {
    isStopped = signal?.aborted;
    throw new Error('Stopped here.');
  };
  const logEntries = { page } as LogEntryStore;
  const { listLogs } = logHandlers({ logEntries, baseUrl: () => '' } as unknown as Services);
  const call = {
    request: { raw: { url: '/' }, url: '/' },
    reply: { raw: { destroyed: true, once: () => undefined } },
    query: { limit: 10, offset: 0, around: null },
  };
  await expect(async () => (listLogs as (of: unknown) => Promise<void>)(call)).rejects.toThrow(
    'Stopped here.',
  );
  expect(isStopped).toBe(true);
});
