import { expect, test } from 'vitest';
import { NEVER, settle, timerOfTest } from '../kernel/timer.fixture.ts';
import type { LogSequence, LogPosition } from './log-sequence.ts';
import { logFeeds } from './log-feeds.ts';

const LOG = { projectId: 1, id: 7 };

/** A log whose wake-ups are all lost. */
function followedLog() {
  const now = { epoch: 1, number: 3 };
  let reads = 0;
  const sequence: LogSequence = {
    follow: async (logs) => logs.map(() => ({ ...now })),
    after: async (_, { epoch, number }) => {
      reads++;
      return epoch === now.epoch && number === now.number ? [] : null;
    },
  };
  const { timer, pass: renew } = timerOfTest();
  const feeds = logFeeds({
    sequence,
    log: { find: async () => [] },
    wakeUps: { isLive: true, listen: () => () => undefined },
    timer,
    turn: () => Promise.resolve(),
    now: () => 0,
    warn: (error) => expect.fail(String(error)),
  });
  return { now, feeds, renew, reads: () => reads };
}

test('a stream is reset when its log is renewed in another epoch, even without a wake-up', async () => {
  const { now, feeds, renew } = followedLog();
  const start: LogPosition = { ...now };
  const found: unknown[] = [];
  void feeds
    .after(LOG, start, NEVER)
    .next()
    .then(({ value }) => found.push(value));
  await settle();
  Object.assign(now, { epoch: 2, number: 0 });
  await renew();
  expect(found).toMatchObject([{ reset: 'unknown_cursor', position: { epoch: 2, number: 0 }, entries: [] }]);
});

test('a stream that has read its whole log is not woken when the log is renewed', async () => {
  const { now, feeds, renew, reads } = followedLog();
  void feeds.after(LOG, { ...now }, NEVER).next();
  await settle();
  await renew();
  await renew();
  expect(reads()).toBe(1);
});
