import { expect, test } from 'vitest';
import { NEVER, settle, timerOfTest } from '../kernel/timer.fixture.ts';
import { cursorAt } from '../record/family-cursor.ts';
import type { FamilyChanges } from './family-changes.ts';
import { familyFeeds } from './family-feeds.ts';
import { familyStream } from './family-stream.ts';

const FAMILY = { projectId: 1, family: 'plugin_configs' } as const;
const RECORD = { id: 5, version: 2, deleted: false, familyVersion: 18 };

/** Feeds that poll when the test says so. */
function feedsOf(changes: FamilyChanges) {
  const { timer, pass: poll } = timerOfTest();
  const feeds = familyFeeds({
    changes,
    turn: () => Promise.resolve(),
    timer,
    now: () => 0,
    warn: (error) => expect.fail(String(error)),
  });
  return { feeds, poll };
}

test('a stream gets a change made just before another stream was opened', async () => {
  let familyVersion = 17;
  const changes: FamilyChanges = {
    familyVersions: async (families) => ({
      registryVersion: 1,
      familyVersions: families.map(() => familyVersion),
    }),
    after: async (_, position) => ({
      registryVersion: 1,
      familyVersion,
      orderVersion: 0,
      records: [RECORD].filter((record) => record.familyVersion > position.familyVersion),
      isComplete: true,
      isCursorInvalid: false,
    }),
  };
  const { feeds, poll } = feedsOf(changes);
  const follow = (): ReturnType<typeof feeds.after> => {
    const at = { registryVersion: 1, familyVersion };
    return feeds.after({ ...FAMILY, ...at }, cursorAt(at), NEVER);
  };
  const found: unknown[] = [];
  void follow()
    .next()
    .then(({ value }) => found.push(value));
  await settle();
  familyVersion = 18;
  void follow().next();
  await settle();
  for (let polls = 0; polls < 3; polls += 1) await poll();
  expect(found).toMatchObject([{ changes: [{ record: RECORD }], isLast: true }]);
});

test('the registration of a plugin resets the streams of the families that attach it, once, and no others', async () => {
  const attaching = new Set([1]);
  let registryVersion = 1;
  const at = () => ({ registryVersion, familyVersion: 17 });
  const changes: FamilyChanges = {
    familyVersions: async (families) => ({ ...at(), familyVersions: families.map(() => 17) }),
    after: async ({ projectId }, cursor) => ({
      ...at(),
      orderVersion: 0,
      records: [],
      isComplete: true,
      isCursorInvalid: attaching.has(projectId) && cursor.registryVersion < 2,
    }),
  };
  const { feeds, poll } = feedsOf(changes);
  const steps: (readonly [number, unknown])[] = [];
  const follow = async (projectId: number): Promise<void> => {
    const request = { family: { ...FAMILY, projectId, ...at() }, cursor: null };
    for await (const { reset, cursor } of familyStream({ feeds }, request, NEVER)) {
      steps.push([projectId, [reset, cursor]]);
    }
  };
  void follow(1);
  void follow(2);
  await settle();
  for (registryVersion = 2; registryVersion < 5; registryVersion += 1) await poll();
  expect(steps).toEqual([
    [1, [undefined, '1.17']],
    [2, [undefined, '1.17']],
    [1, ['plugin_changed', '2.17']],
  ]);
});
