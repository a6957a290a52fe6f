import { expect, test } from 'vitest';
import { feedOf, type FeedPage, type Reading } from './feed.ts';
import { recentReadings } from './recent-readings.ts';

interface Letters extends FeedPage<number> {
  readonly letters: string;
}

/** A feed of a growing text, with timers under the control of the test. */
function aFeed({ turn = () => Promise.resolve() } = {}) {
  const state = { text: '', reads: 0, failures: 0, now: 0, tookMs: 0 };
  const timers = new Set<{ readonly work: () => void; readonly afterMs: number }>();
  const feed = feedOf<number, Letters>({
    identify: String,
    read: async (position) => {
      state.reads++;
      state.now += state.tookMs;
      if (state.failures-- > 0) throw new Error('The database is unavailable.');
      const letters = state.text.slice(position, position + 3);
      const end = position + letters.length;
      return { letters, position: end, isLast: end === state.text.length };
    },
    recent: recentReadings<Reading<Letters>>(({ page }) => page.letters.length),
    isTransient: (error) => error instanceof Error && error.message === 'The database is unavailable.',
    turn,
    timer: (work, afterMs) => {
      const timer = { work, afterMs };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    now: () => state.now,
  });
  const write = (letters: string): void => {
    state.text += letters;
    feed.wake();
  };
  const runTimers = (): readonly number[] => {
    const due = [...timers];
    timers.clear();
    for (const { work } of due) work();
    return due.map(({ afterMs }) => afterMs);
  };
  return { state, feed, write, runTimers };
}

/** Collects the pages of a feed. */
function reading(feed: ReturnType<typeof aFeed>['feed'], position = 0) {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_: 'abort', listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: 'abort', listener: () => void) => void listeners.delete(listener),
  };
  const pages: string[] = [];
  const ended = (async () => {
    for await (const { letters } of feed.after(position, signal)) pages.push(letters);
  })();
  const stop = async (): Promise<void> => {
    signal.aborted = true;
    for (const listener of listeners) listener();
    await ended;
  };
  return { pages, stop };
}

/** Waits for everything that does not depend on a timer. */
async function settled(): Promise<void> {
  for (let steps = 0; steps < 100; steps++) await Promise.resolve();
}

test('streams at one position share a read, and each gets every page once', async () => {
  const { state, feed, write } = aFeed();
  const streams = Array.from({ length: 50 }, () => reading(feed));
  await settled();
  expect(state.reads).toBe(1);
  write('abcde');
  await settled();
  for (const { pages } of streams) expect(pages).toEqual(['abc', 'de']);
  expect(state.reads).toBeLessThan(5);
  for (const { stop } of streams) await stop();
});

test('each stream waits for its turn to handle a page', async () => {
  const waiting: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => void waiting.push(resolve));
  const { feed, write } = aFeed({ turn });
  const [first, second] = [reading(feed), reading(feed)];
  write('abc');
  await settled();
  waiting.shift()?.();
  await settled();
  expect([first.pages, second.pages]).toEqual([['abc'], []]);
  waiting.shift()?.();
  await settled();
  expect(second.pages).toEqual(['abc']);
  await Promise.all([first.stop(), second.stop()]);
});

test('after a read that found something, wake-ups are delayed, but not lost', async () => {
  const { state, feed, write, runTimers } = aFeed();
  const { pages, stop } = reading(feed);
  await settled();
  write('a');
  await settled();
  const { reads } = state;
  for (const letter of ['b', 'c']) {
    write(letter);
    await settled();
  }
  expect([pages, state.reads]).toEqual([['a'], reads]);
  expect(runTimers()).toEqual([20]);
  await settled();
  expect(pages).toEqual(['a', 'bc']);
  await stop();
});

test('a slow read extends the delay, up to a second', async () => {
  const { state, feed, write, runTimers } = aFeed();
  const { stop } = reading(feed);
  await settled();
  for (const [tookMs, restMs] of [
    [50, 200],
    [10_000, 1_000],
  ] as const) {
    state.tookMs = tookMs;
    write('a');
    await settled();
    expect(runTimers()).toEqual([restMs]);
    await settled();
  }
  await stop();
});

test('a late stream gets the recently read pages, and continues from there', async () => {
  const { state, feed, write } = aFeed();
  const first = reading(feed);
  await settled();
  write('abc');
  await settled();
  const { reads } = state;
  const late = reading(feed);
  await settled();
  expect([late.pages, state.reads]).toEqual([['abc'], reads]);
  await Promise.all([first.stop(), late.stop()]);
});

test('a temporary failure delays a page', async () => {
  const { state, feed, write, runTimers } = aFeed();
  state.failures = 2;
  const { pages, stop } = reading(feed);
  write('a');
  for (let tries = 0; tries < 3; tries++) {
    await settled();
    runTimers();
  }
  await settled();
  expect(pages).toEqual(['a']);
  await stop();
});
