import {
  ingest,
  type DeadLetterBound,
  type DeadLetterBounds,
  type MessageOwner,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aDeadMessage, anOrigin } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

const BOUND: DeadLetterBound = { count: 1000, bytes: 1_000_000 };
const BOUNDS: DeadLetterBounds = { retentionDays: 7, ofOwner: BOUND, ofAll: BOUND };
const NONE = { tooOld: 0, tooMany: 0 };

/** Adds dead letters with these texts for an owner. */
async function addOf(ports: LogPorts, owner: MessageOwner, ...texts: readonly string[]): Promise<void> {
  await ingest(
    ports,
    texts.map((text) => aDeadMessage({ text, origin: anOrigin({ owner }) })),
  );
}

async function threeLetters(ports: LogPorts): Promise<readonly number[]> {
  await ingest(
    ports,
    ['a', 'b', 'c'].map((text) => aDeadMessage({ text })),
  );
  return (await ports.deadLetters.list({ after: 0, limit: 10 })).map(({ id }) => id);
}

async function textsOf(ports: LogPorts): Promise<readonly string[]> {
  return (await ports.deadLetters.list({ after: 0, limit: 100 })).map(({ text }) => text);
}

export function deadLetterStoreContract(test: TestWith<LogPorts>): void {
  test('dead letters are listed in the order they were added, page by page', async (ports) => {
    const [a = 0, b = 0, c = 0] = await threeLetters(ports);
    const page = await ports.deadLetters.list({ after: 0, limit: 2 });
    expect(page.map(({ id, text }) => [id, text])).toEqual([
      [a, 'a'],
      [b, 'b'],
    ]);
    expect((await ports.deadLetters.list({ after: b, limit: 2 })).map(({ id }) => id)).toEqual([c]);
    expect(await ports.deadLetters.list({ after: c, limit: 2 })).toEqual([]);
    expect(await ports.deadLetters.count()).toBe(3);
  });

  test('only existing dead letters are found', async (ports) => {
    const [a = 0, , c = 0] = await threeLetters(ports);
    expect((await ports.deadLetters.find([c, 999_999, a])).map(({ text }) => text)).toEqual(['a', 'c']);
    expect(await ports.deadLetters.find([])).toEqual([]);
  });

  test('only existing dead letters are dropped', async (ports) => {
    const [a = 0, b = 0, c = 0] = await threeLetters(ports);
    expect(await ports.deadLetters.drop([c, a, 999_999])).toBe(2);
    expect(await ports.deadLetters.drop([a])).toBe(0);
    expect((await ports.deadLetters.list({ after: 0, limit: 10 })).map(({ id }) => id)).toEqual([b]);
  });

  test('all dead letters are dropped', async (ports) => {
    await threeLetters(ports);
    expect(await ports.deadLetters.dropAll()).toBe(3);
    expect(await ports.deadLetters.count()).toBe(0);
    expect(await ports.deadLetters.dropAll()).toBe(0);
  });

  test('dead letters within the bounds are kept', async (ports) => {
    await threeLetters(ports);
    const bound = { count: 3, bytes: 3 };
    expect(await ports.deadLetters.trim({ retentionDays: 1, ofOwner: bound, ofAll: bound })).toEqual(NONE);
    expect(await ports.deadLetters.count()).toBe(3);
  });

  test('an owner with too many dead letters loses its oldest, and other owners lose none', async (ports) => {
    await addOf(ports, 'project 1', 'a', 'b');
    await addOf(ports, 'account 7', 'c', 'd', 'e');
    await addOf(ports, 'source jetstream', 'f');
    const bounds = { ...BOUNDS, ofOwner: { ...BOUND, count: 2 } };
    expect(await ports.deadLetters.trim(bounds)).toEqual({ tooOld: 0, tooMany: 1 });
    expect(await textsOf(ports)).toEqual(['a', 'b', 'd', 'e', 'f']);
    expect(await ports.deadLetters.trim(bounds)).toEqual(NONE);
  });

  test('an owner whose dead letters are too large in total loses its oldest', async (ports) => {
    await addOf(ports, 'project 2', 'x'.repeat(5000));
    await addOf(ports, 'project 1', 'old', '1'.repeat(5000), '🚀'.repeat(1000), '');
    const bounded = (bytes: number) => ({ ...BOUNDS, ofOwner: { ...BOUND, bytes } });
    expect(await ports.deadLetters.trim(bounded(8999))).toEqual({ tooOld: 0, tooMany: 2 });
    expect((await textsOf(ports)).map((text) => text.length)).toEqual([5000, 2000, 0]);
    expect(await ports.deadLetters.trim(bounded(5000))).toEqual(NONE);
  });

  test('if all owners together have too many dead letters, those with the most lose theirs', async (ports) => {
    await addOf(ports, 'project 1', 'a', 'b');
    await addOf(ports, 'project 2', ...Array.from({ length: 9 }, (_, n) => `two ${n}`));
    await addOf(ports, 'account 7', 'c', 'd', 'e');
    await addOf(ports, 'project 2', 'two 9');
    const bounds = { ...BOUNDS, ofAll: { ...BOUND, count: 8 } };
    expect(await ports.deadLetters.trim(bounds)).toEqual({ tooOld: 0, tooMany: 7 });
    expect(await textsOf(ports)).toEqual(['a', 'b', 'two 7', 'two 8', 'c', 'd', 'e', 'two 9']);
  });

  test('if the dead letters of all owners together are too large, those with the most bytes lose theirs', async (ports) => {
    await addOf(ports, 'project 2', ...Array.from({ length: 3 }, (_, n) => `${n}`.repeat(1000)));
    await addOf(ports, 'project 1', ...Array.from({ length: 50 }, (_, n) => `small ${n}`));
    const bounds = { ...BOUNDS, ofAll: { ...BOUND, bytes: 2500 } };
    expect(await ports.deadLetters.trim(bounds)).toEqual({ tooOld: 0, tooMany: 1 });
    expect((await textsOf(ports))[0]).toBe('1'.repeat(1000));
    expect(await ports.deadLetters.count()).toBe(52);
  });

  test('the age of a dead letter counts from when it was added, not from the time of its message', async (ports) => {
    await ingest(ports, [aDeadMessage({ origin: anOrigin({ receivedAt: new Date(0) }) })]);
    expect(await ports.deadLetters.trim({ ...BOUNDS, retentionDays: 1 })).toEqual(NONE);
    expect(await ports.deadLetters.count()).toBe(1);
  });

  test('many dead letters are dropped in one call', async (ports) => {
    await ingest(
      ports,
      Array.from({ length: 2500 }, (_, i) => aDeadMessage({ text: `${i}` })),
    );
    expect(await ports.deadLetters.trim({ ...BOUNDS, ofOwner: { ...BOUND, count: 7 } })).toEqual({
      tooOld: 0,
      tooMany: 2493,
    });
    expect((await ports.deadLetters.list({ after: 0, limit: 1 })).map(({ text }) => text)).toEqual(['2493']);
  });

  test('ids are never reused', async (ports) => {
    const ids = await threeLetters(ports);
    await ports.deadLetters.dropAll();
    const others = await threeLetters(ports);
    expect(ids.filter((id) => others.includes(id))).toEqual([]);
  });
}
