import { expect, test } from 'vitest';
import { cursorAt } from '../record/family-cursor.ts';
import type { FamilyChanges } from './family-changes.ts';
import { familyFeeds } from './family-feeds.ts';
import { familyStream } from './family-stream.ts';

const FAMILY = { projectId: 1, family: 'plugin_configs' } as const;
const LINEAGE = 'a1';
const RECORD = { id: 5, version: 2, deleted: false, revision: 18 };

/** Lets all go on that waits for nothing else. */
async function turn(): Promise<void> {
  for (let i = 0; i < 100; i += 1) await Promise.resolve();
}

test('a stream gets a change though another one was opened between the change and the next question for revisions', async () => {
  let revision = 17;
  const changes: FamilyChanges = {
    revisions: async (families) => ({
      lineage: LINEAGE,
      registryVersion: 1,
      revisions: families.map(() => revision),
    }),
    after: async (_, position) => ({
      lineage: LINEAGE,
      registryVersion: 1,
      revision,
      orderRevision: 0,
      records: [RECORD].filter((record) => record.revision > position.revision),
      isComplete: true,
      isVoid: false,
    }),
  };
  const due: (() => void)[] = [];
  const timer = (work: () => void) => {
    due.push(work);
    return () => undefined;
  };
  const feeds = familyFeeds({ changes, timer, now: () => 0, warn: (error) => expect.fail(String(error)) });
  const signal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined };
  const follow = (): ReturnType<typeof feeds.after> => {
    const at = { lineage: LINEAGE, registryVersion: 1, revision };
    return feeds.after({ ...FAMILY, ...at }, cursorAt(at), signal);
  };
  const found: unknown[] = [];
  void follow()
    .next()
    .then(({ value }) => found.push(value));
  await turn();
  revision = 18;
  void follow().next();
  await turn();
  for (let asked = 0; asked < 3; asked += 1) {
    for (const work of due.splice(0)) work();
    await turn();
  }
  expect(found).toMatchObject([{ changes: [{ record: RECORD }], isLast: true }]);
});

test('the registration of a plugin resets the streams of the families that attach it, once, and no others', async () => {
  const attaching = new Set([1]);
  let registryVersion = 1;
  const at = () => ({ lineage: LINEAGE, registryVersion, revision: 17 });
  const changes: FamilyChanges = {
    revisions: async (families) => ({ ...at(), revisions: families.map(() => 17) }),
    after: async ({ projectId }, cursor) => ({
      ...at(),
      orderRevision: 0,
      records: [],
      isComplete: true,
      isVoid: attaching.has(projectId) && cursor.registryVersion < 2,
    }),
  };
  const due: (() => void)[] = [];
  const timer = (work: () => void) => {
    due.push(work);
    return () => undefined;
  };
  const feeds = familyFeeds({ changes, timer, now: () => 0, warn: (error) => expect.fail(String(error)) });
  const signal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined };
  const steps: (readonly [number, unknown])[] = [];
  const follow = async (projectId: number): Promise<void> => {
    const request = { family: { ...FAMILY, projectId, ...at() }, cursor: null };
    for await (const { reset, cursor } of familyStream({ feeds }, request, signal)) {
      steps.push([projectId, [reset, cursor]]);
    }
  };
  void follow(1);
  void follow(2);
  await turn();
  for (registryVersion = 2; registryVersion < 5; registryVersion += 1) {
    for (const work of due.splice(0)) work();
    await turn();
  }
  expect(steps).toEqual([
    [1, [undefined, 'a1.1.17']],
    [2, [undefined, 'a1.1.17']],
    [1, ['plugin_changed', 'a1.2.17']],
  ]);
});
