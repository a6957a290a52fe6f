import type { LogEntry, LogEvent, LogQuery, Page, ResetEvent, StreamOptions } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { followLog, HELD_MAX, type FollowedLog, type LogSource } from './follow-log.ts';
import { compareEntries, ROWS_MAX } from './log-rows.ts';

const PAGE_CHARACTERS = 4_000_000;
const EPOCH = Date.parse('2026-03-01T00:00:00Z');

function entry(number: number, milliseconds: number, message = ''): LogEntry {
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    team_id: 1,
    plugin_id: 1,
    plugin_config_id: 1,
    timestamp: new Date(EPOCH + milliseconds).toISOString(),
    source: 'PLUGIN',
    type: 'INFO',
    message,
    instance_id: '00000000-0000-0000-0000-000000000000',
  };
}

/** A log in memory, with its listing and one stream. */
function inMemoryLog(stored: readonly LogEntry[] = []) {
  const entries = [...stored];
  const frames: (() => void)[] = [];
  const events: (LogEvent | ResetEvent)[] = [];
  const failures: Error[] = [];
  let wake = (): void => {};
  let resets = 0;
  const page = async (query: LogQuery): Promise<Page<LogEntry>> => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const { after = '', before = '9', limit = 100, offset = 0 } = query;
    const all = entries
      .filter(({ timestamp }) => timestamp > String(after) && timestamp < String(before))
      .toSorted((a, b) => compareEntries(b, a));
    let characters = 0;
    const results = all.slice(offset, offset + limit).filter(({ message }) => {
      characters += message.length;
      return characters <= PAGE_CHARACTERS;
    });
    const hasNext = offset + results.length < all.length;
    return { count: all.length, next: hasNext ? 'next' : null, previous: null, results };
  };
  async function* stream({ signal, onOpen }: StreamOptions): AsyncGenerator<LogEvent | ResetEvent> {
    onOpen?.('1');
    for (;;) {
      signal?.throwIfAborted();
      const event = events.shift();
      if (event !== undefined) yield event;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const send = (event: LogEvent | ResetEvent): void => {
    events.push(event);
    wake();
  };
  return {
    entries,
    failures,
    resets: () => resets,
    store: (...added: readonly LogEntry[]) => {
      entries.push(...added);
      for (const data of added) send({ event: 'log', id: data.id, data });
    },
    /** Entries that the stream does not send. */
    storeUnsent: (...added: readonly LogEntry[]) => void entries.push(...added),
    reset: () => send({ event: 'reset', id: '', data: { reason: 'unknown_cursor' } }),
    follow: (around: string | null = null): OpenedLog =>
      opened({
        read: () => page,
        stream,
        filter: {},
        around,
        onFrame: (callback) => void frames.push(callback),
        onReset: () => (resets += 1),
      }),
    /** Runs frames until nothing changes any more. */
    settle: async () => {
      for (let quiet = 0; quiet < 3; quiet += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        if (frames.length > 0) quiet = 0;
        for (const frame of frames.splice(0)) frame();
      }
    },
  };
}

interface OpenedLog extends FollowedLog {
  /** Does the work while the log is closed. */
  readonly whileClosed: (work: () => void) => void;
}

function opened(source: LogSource): OpenedLog {
  const followed = followLog(source);
  let close = followed.open();
  onTestFinished(() => close());
  return {
    ...followed,
    whileClosed: (work) => {
      close();
      work();
      close = followed.open();
    },
  };
}

const idsOf = (entries: readonly LogEntry[]): readonly string[] => entries.map(({ id }) => id);
const many = (count: number, from = 0): LogEntry[] =>
  Array.from({ length: count }, (_, index) => entry(from + index, from + index));

test('a followed log shows each entry once, ordered by time, in whatever order they arrive', async () => {
  const steps = fc.array(
    fc.record({
      times: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }),
      act: fc.constantFrom('none', 'pause', 'resume', 'settle', 'older', 'reset', 'whileClosed'),
    }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.integer({ min: 0, max: 40 })), async (all, earlier) => {
      let number = 0;
      const log = inMemoryLog(earlier.map((time) => entry((number += 1), time)));
      const followed = log.follow();
      for (const { times, act } of all) {
        const added = times.map((time) => entry((number += 1), time));
        if (act === 'whileClosed') followed.whileClosed(() => log.storeUnsent(...added));
        else log.store(...added);
        if (act === 'pause') followed.pause();
        if (act === 'resume') followed.resume();
        if (act === 'settle') await log.settle();
        if (act === 'older') followed.readOlder();
        if (act === 'reset') log.reset();
      }
      followed.resume();
      await log.settle();
      expect(followed.view()).toMatchObject({ hasNewer: false, held: 0, error: null });
      expect(idsOf(followed.view().entries)).toEqual(idsOf(log.entries.toSorted(compareEntries)));
    }),
  );
});

test('a paused log does not change, counts new entries, and shows all of them when resumed', async () => {
  const log = inMemoryLog(many(3));
  const followed = log.follow();
  await log.settle();
  followed.pause();
  log.store(...many(20, 3));
  await log.settle();
  expect(followed.view()).toMatchObject({ held: 20 });
  expect(followed.view().entries).toHaveLength(3);
  followed.resume();
  await log.settle();
  expect(idsOf(followed.view().entries)).toEqual(idsOf(many(23)));
});

test('older entries stay after the page was hidden, and resuming shows what was missed', async () => {
  const log = inMemoryLog(many(1200));
  const followed = log.follow();
  await log.settle();
  followed.readOlder();
  await log.settle();
  const shown = followed.view().entries;
  followed.whileClosed(() => log.storeUnsent(...many(10, 1200)));
  await log.settle();
  expect(followed.view()).toMatchObject({ entries: shown, hasNewer: true, connection: 'live' });
  followed.resume();
  await log.settle();
  expect(idsOf(followed.view().entries).slice(-10)).toEqual(idsOf(many(10, 1200)));
});

test('a failed read of older entries can be retried', async () => {
  const log = inMemoryLog(many(1200));
  const followed = log.follow();
  await log.settle();
  log.failures.push(new Error('unreachable'));
  followed.readOlder();
  await log.settle();
  expect(followed.view().error).not.toBeNull();
  followed.tryAgain();
  await log.settle();
  expect(followed.view()).toMatchObject({ error: null });
  // The entry at the edge is read again.
  expect(followed.view().entries).toHaveLength(999);
});

test('a pause that overflows the buffer ends with a reload, and older pages follow without a gap', async () => {
  const log = inMemoryLog(many(3));
  const followed = log.follow();
  await log.settle();
  followed.pause();
  log.store(...many(HELD_MAX + 1, 3));
  await log.settle();
  expect(followed.view()).toMatchObject({ held: HELD_MAX + 1 });
  followed.resume();
  await log.settle();
  log.store(...many(5, HELD_MAX + 4));
  await log.settle();
  while (followed.view().hasOlder) {
    followed.readOlder();
    await log.settle();
  }
  expect(idsOf(followed.view().entries)).toEqual(idsOf(many(HELD_MAX + 9)));
});

test('rows are limited, and dropped ones are read again in both directions', async () => {
  const total = 2 * ROWS_MAX;
  const log = inMemoryLog(many(3));
  const followed = log.follow();
  await log.settle();
  for (let sent = 3; sent < total; sent += 1000) {
    log.store(...many(Math.min(1000, total - sent), sent));
    await log.settle();
    expect(followed.view().entries.length).toBeLessThanOrEqual(ROWS_MAX);
  }
  const seen = new Set(idsOf(followed.view().entries));
  const expectConsecutive = (): void => {
    const { entries } = followed.view();
    expect(entries.length).toBeLessThanOrEqual(ROWS_MAX);
    for (const { id } of entries) seen.add(id);
    const [first, last] = [entries[0], entries.at(-1)].map((end) => Number(end?.id.slice(-12)));
    expect((last ?? 0) - (first ?? 0)).toBe(entries.length - 1);
  };
  while (followed.view().hasOlder) {
    followed.readOlder();
    await log.settle();
    expectConsecutive();
  }
  expect(seen.size).toBe(total);
  while (followed.view().hasNewer) {
    followed.readNewer();
    await log.settle();
    expectConsecutive();
  }
  expect(followed.view().entries.at(-1)?.id).toBe(entry(total - 1, 0).id);
});

test('entries around a time are shown, and all older and newer ones can be reached', async () => {
  const crowd = Array.from({ length: 1500 }, (_, index) => entry(2000 + index, 2000));
  const log = inMemoryLog([...many(2000), ...crowd, ...many(1500, 4000)]);
  const followed = log.follow(crowd[700]?.timestamp ?? '');
  await log.settle();
  expect(followed.view()).toMatchObject({
    isFollowing: false,
    hasOlder: true,
    hasNewer: true,
    connection: 'none',
  });
  log.storeUnsent(...many(700, 5500));
  while (followed.view().hasNewer) {
    followed.readNewer();
    await log.settle();
  }
  while (followed.view().hasOlder) {
    followed.readOlder();
    await log.settle();
  }
  expect(idsOf(followed.view().entries)).toEqual(idsOf(log.entries.toSorted(compareEntries)));
});

test('a failed read drops nothing silently, and a retry shows everything', async () => {
  const log = inMemoryLog(many(3));
  const followed = log.follow();
  await log.settle();
  followed.pause();
  log.store(...many(HELD_MAX + 1, 3));
  await log.settle();
  log.failures.push(new Error('away'));
  followed.resume();
  await log.settle();
  log.store(...many(2, HELD_MAX + 4));
  await log.settle();
  expect(followed.view()).toMatchObject({ error: new Error('away'), hasNewer: true, held: 2 });
  expect(followed.view().entries).toHaveLength(3);
  followed.tryAgain();
  await log.settle();
  expect(followed.view()).toMatchObject({ error: null, hasNewer: false, held: 0 });
  expect(followed.view().entries.at(-1)?.id).toBe(entry(HELD_MAX + 5, 0).id);
});

test('a reset is reported and reloads the log', async () => {
  const log = inMemoryLog(many(3));
  const followed = log.follow();
  await log.settle();
  log.storeUnsent(...many(3, 3));
  log.reset();
  await log.settle();
  expect(log.resets()).toBe(1);
  expect(idsOf(followed.view().entries)).toEqual(idsOf(many(6)));
});

test('the total size of messages is limited', async () => {
  const log = inMemoryLog();
  const followed = log.follow();
  await log.settle();
  const message = 'x'.repeat(50_000);
  for (let number = 0; number < 1000; number += 1) {
    log.store(entry(number, number, message));
    if (number % 20 === 0) await log.settle();
  }
  await log.settle();
  expect(followed.view().entries.length).toBeLessThanOrEqual(320);
  while (followed.view().hasOlder) {
    followed.readOlder();
    await log.settle();
    expect(followed.view().entries.length).toBeLessThanOrEqual(320);
  }
  while (followed.view().hasNewer) {
    followed.readNewer();
    await log.settle();
    expect(followed.view().entries.length).toBeLessThanOrEqual(320);
  }
  expect(followed.view().entries.at(-1)?.id).toBe(entry(999, 0).id);
});
