import { expect, test } from 'vitest';
import { DomainError } from '../kernel/domain-error.ts';
import { settle, timerOfTest } from '../kernel/timer.fixture.ts';
import { feedChanges, type FeedReader } from './feed-changes.ts';
import type { FeedPosition } from './feed-cursor.ts';
import { EVERY_PROJECT, type ChangedProject } from './project-feed.ts';
import { shows } from './snapshot.ts';

/** A signal that the test aborts. */
function stopping() {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_: 'abort', listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: 'abort', listener: () => void) => void listeners.delete(listener),
  };
  const stop = (): void => {
    signal.aborted = true;
    for (const listener of listeners) listener();
  };
  return { signal, stop };
}

/** A store whose transactions commit in sequence, and readers whose polls the test triggers. */
function store() {
  const { timer, pass: poll } = timerOfTest();
  const committed: ChangedProject[] = [];
  let max = 1;
  let polls = 0;
  let failure: Error | null = null;
  const at = (): FeedPosition => ({
    snapshot: { min: max, max, running: [] },
    registryVersion: 0,
    recovery: 0,
  });
  const commit = (projectId: number, fields: Partial<ChangedProject> = {}): void => {
    const same = committed.findIndex((one) => one.projectId === projectId);
    if (same !== -1) committed.splice(same, 1);
    const project = { projectId, externalId: null, registryVersion: 0, listVersion: max, lostBy: null };
    committed.push({ ...project, transaction: max, ...fields });
    max++;
  };
  const changes = feedChanges({
    family: 'plugin_configs',
    feed: {
      all: async () => ({ at: at(), projects: [], isComplete: true }),
      since: async ({ snapshot }, { limit }) => {
        polls++;
        if (failure !== null) throw failure;
        const projects = committed.filter(({ transaction }) => !shows(snapshot, transaction));
        return { at: at(), projects: projects.slice(0, limit), isComplete: projects.length <= limit };
      },
    },
    timer,
    now: () => 0,
    warn: (error) => expect.fail(String(error)),
  });
  const read = (reader: Partial<FeedReader> = {}) => {
    const ending = stopping();
    const whole = { since: at(), filter: EVERY_PROJECT, waits: true, signal: ending.signal, ...reader };
    const result: { found?: readonly number[] | null; at?: FeedPosition; error?: unknown } = {};
    void changes.after(whole).then(
      (found) => {
        result.found = found === null ? null : found.projects.map(({ projectId }) => projectId);
        if (found !== null) result.at = found.at;
      },
      (error: unknown) => (result.error = error),
    );
    return { result, stop: ending.stop };
  };
  return { at, commit, poll, read, polls: () => polls, fail: (error: Error | null) => (failure = error) };
}

/** Starts the polls, which keep the changes from then on. */
async function started() {
  const one = store();
  one.read({ waits: false });
  await one.poll();
  return one;
}

test('a reader that waits gets the next change, and one that does not gets none', async () => {
  const { commit, poll, read } = await started();
  const [waits, other] = [read(), read({ waits: false })];
  await poll();
  expect([waits.result.found, other.result.found]).toEqual([undefined, []]);
  commit(7);
  await poll();
  expect(waits.result.found).toEqual([7]);
});

test('a change that is committed before the call is never missed, even during a poll for others', async () => {
  const { at, commit, poll, read } = await started();
  const since = at();
  read();
  await settle();
  commit(7);
  const late = read({ since, waits: false });
  await poll();
  expect(late.result.found).toEqual([7]);
});

test('all readers share a poll, and each gets what changed after its own position', async () => {
  const { at, commit, poll, read, polls } = await started();
  const first = at();
  commit(9);
  commit(7);
  read({ waits: false });
  await poll();
  const second = at();
  commit(7);
  const before = polls();
  const readers = [first, second, second].map((since) => read({ since }));
  await poll();
  expect(polls() - before).toBe(1);
  expect(readers.map(({ result }) => result.found)).toEqual([[7, 9], [7], [7]]);
  expect(readers.map(({ result }) => result.at)).toEqual([at(), at(), at()]);
});

test('readers get the projects of their key and shard, and a project that their key has lost', async () => {
  const { at, commit, poll, read } = await started();
  const since = at();
  for (const projectId of [4, 5, 6]) commit(projectId);
  commit(8, { lostBy: [3] });
  const foundBy = (filter: Partial<typeof EVERY_PROJECT>) => {
    return read({ since, waits: false, filter: { ...EVERY_PROJECT, ...filter } }).result;
  };
  const results = [
    foundBy({ shard: { index: 0, of: 2 } }),
    foundBy({ key: { id: 3, projectIds: [5] } }),
    foundBy({ key: { id: 2, projectIds: [5] } }),
  ];
  await poll();
  expect(results.map(({ found }) => found)).toEqual([[4, 6, 8], [5, 8], [5]]);
});

test('a reader from before what is kept, or ahead of the database, is told so', async () => {
  const { at, commit, poll, read } = store();
  const early = at();
  commit(7);
  const readers = [read({ since: early }), read({ since: { ...at(), registryVersion: 5 } })];
  await poll();
  expect(readers.map(({ result }) => result.found)).toEqual([null, null]);
});

test('a reader whose time is up has the position of the last poll, and of none before its first one', async () => {
  const { at, commit, poll, read } = await started();
  const since = at();
  const served = read({ filter: { ...EVERY_PROJECT, shard: { index: 0, of: 2 } } });
  commit(7);
  await poll();
  const unserved = read({ since });
  served.stop();
  unserved.stop();
  await settle();
  expect([served.result, unserved.result]).toEqual([
    { found: [], at: at() },
    { found: [], at: since },
  ]);
});

test('too many changes at once are not kept, and then readers page through them', async () => {
  const { at, commit, poll, read } = await started();
  const waits = read();
  await poll();
  for (let projectId = 1; projectId <= 10_001; projectId++) commit(projectId);
  await poll();
  expect(waits.result.found).toBeNull();
  const next = read({ since: at() });
  await poll();
  commit(7);
  await poll();
  expect(next.result.found).toEqual([7]);
});

test('the oldest changes are dropped first', async () => {
  const { at, commit, poll, read } = await started();
  const positions: FeedPosition[] = [];
  for (let n = 0; n < 3; n++) {
    positions.push(at());
    for (let projectId = 1; projectId <= 4000; projectId++) commit(projectId);
    read({ waits: false });
    await poll();
  }
  const readers = positions.map((since) => read({ since, waits: false }));
  await poll();
  expect(readers.map(({ result }) => result.found?.length)).toEqual([undefined, 500, 500]);
});

test('a failed poll rejects readers that do not wait, and delays the others', async () => {
  const { at, commit, poll, read, fail } = await started();
  const since = at();
  commit(7);
  fail(new DomainError('unavailable', 'Away.'));
  const [waits, other] = [read({ since }), read({ since, waits: false })];
  await poll();
  expect([waits.result.found, other.result.error]).toMatchObject([undefined, { code: 'unavailable' }]);
  fail(null);
  await poll();
  expect(waits.result.found).toEqual([7]);
});
