import { expect, test } from 'vitest';
import type { LogFilter } from './log-entry-store.ts';
import { matchesFilter } from './matches-filter.ts';

const ENTRY = {
  id: '0197a3f0-1111-7222-8333-944455556666',
  projectId: 1,
  plugin: 2,
  recordId: 3,
  timestamp: new Date(1000),
  source: 'PLUGIN',
  type: 'LOG',
  message: 'Sent 100% to ΟΔΟΣ, İzmir',
  instanceId: '0197a3f0-2222-7222-8333-944455556666',
};
const EVERY: LogFilter = {
  types: [],
  source: null,
  instanceId: null,
  after: null,
  before: null,
  search: null,
};

test.each<[Partial<LogFilter>, boolean]>([
  [{}, true],
  [{ types: ['ERROR', 'LOG'] }, true],
  [{ types: ['ERROR'] }, false],
  [{ source: 'CONSOLE' }, false],
  [{ instanceId: ENTRY.id }, false],
  [{ after: new Date(999), before: new Date(1001) }, true],
  [{ after: new Date(1000) }, false],
  [{ before: new Date(1000) }, false],
  [{ search: '100% TO οδοσ' }, true],
  [{ search: 'izmir' }, true],
  [{ search: '1_0' }, false],
  [{ search: '\0' }, false],
  [{ search: '' }, true],
])('the filter %o matches the entry: %s', (filter, admitted) => {
  expect(matchesFilter({ ...EVERY, ...filter })(ENTRY)).toBe(admitted);
});
