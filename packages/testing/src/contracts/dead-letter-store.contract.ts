import { type DeadLetterBounds, ingest } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aDeadMessage, anOrigin } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

const BOUNDS: DeadLetterBounds = { retentionDays: 7, letters: 100, bytes: 1_000_000 };

async function threeLetters(ports: LogPorts): Promise<readonly number[]> {
  await ingest(
    ports,
    ['a', 'b', 'c'].map((text) => aDeadMessage({ text })),
  );
  return (await ports.letters.list({ after: 0, limit: 10 })).map(({ id }) => id);
}

export function deadLetterStoreContract(test: TestWith<LogPorts>): void {
  test('dead letters are listed in the order of their arrival, page by page', async (ports) => {
    const [a = 0, b = 0, c = 0] = await threeLetters(ports);
    const page = await ports.letters.list({ after: 0, limit: 2 });
    expect(page.map(({ id, text }) => [id, text])).toEqual([
      [a, 'a'],
      [b, 'b'],
    ]);
    expect((await ports.letters.list({ after: b, limit: 2 })).map(({ id }) => id)).toEqual([c]);
    expect(await ports.letters.list({ after: c, limit: 2 })).toEqual([]);
    expect(await ports.letters.count()).toBe(3);
  });

  test('only existing dead letters are found', async (ports) => {
    const [a = 0, , c = 0] = await threeLetters(ports);
    expect((await ports.letters.find([c, 999_999, a])).map(({ text }) => text)).toEqual(['a', 'c']);
    expect(await ports.letters.find([])).toEqual([]);
  });

  test('only existing dead letters are dropped', async (ports) => {
    const [a = 0, b = 0, c = 0] = await threeLetters(ports);
    expect(await ports.letters.drop([c, a, 999_999])).toBe(2);
    expect(await ports.letters.drop([a])).toBe(0);
    expect((await ports.letters.list({ after: 0, limit: 10 })).map(({ id }) => id)).toEqual([b]);
  });

  test('all dead letters are dropped', async (ports) => {
    await threeLetters(ports);
    expect(await ports.letters.dropAll()).toBe(3);
    expect(await ports.letters.count()).toBe(0);
    expect(await ports.letters.dropAll()).toBe(0);
  });

  test('dead letters within the bounds stay', async (ports) => {
    await threeLetters(ports);
    const bounds = { retentionDays: 1, letters: 3, bytes: 3 };
    expect(await ports.letters.trim(bounds)).toEqual({ tooOld: 0, tooMany: 0 });
    expect(await ports.letters.count()).toBe(3);
  });

  test('the oldest dead letters are dropped if there are too many', async (ports) => {
    const [, b = 0, c = 0] = await threeLetters(ports);
    expect(await ports.letters.trim({ ...BOUNDS, letters: 2 })).toEqual({ tooOld: 0, tooMany: 1 });
    expect((await ports.letters.find([b, c])).map(({ text }) => text)).toEqual(['b', 'c']);
    expect(await ports.letters.count()).toBe(2);
  });

  test('the oldest dead letters are dropped if all together are too large', async (ports) => {
    const texts = ['old', '1'.repeat(5000), '🚀'.repeat(1000), ''];
    await ingest(
      ports,
      texts.map((text) => aDeadMessage({ text })),
    );
    expect(await ports.letters.trim({ ...BOUNDS, bytes: 8999 })).toEqual({ tooOld: 0, tooMany: 2 });
    expect(await ports.letters.trim({ ...BOUNDS, bytes: 4000 })).toEqual({ tooOld: 0, tooMany: 0 });
    expect(await ports.letters.count()).toBe(2);
  });

  test('the age of a dead letter counts from its arrival, not from the time of its message', async (ports) => {
    await ingest(ports, [aDeadMessage({ origin: anOrigin({ receivedAt: new Date(0) }) })]);
    expect(await ports.letters.trim({ ...BOUNDS, retentionDays: 1 })).toEqual({ tooOld: 0, tooMany: 0 });
    expect(await ports.letters.count()).toBe(1);
  });

  test('many dead letters are dropped in one call', async (ports) => {
    await ingest(
      ports,
      Array.from({ length: 2500 }, (_, i) => aDeadMessage({ text: `${i}` })),
    );
    expect(await ports.letters.trim({ ...BOUNDS, letters: 7 })).toEqual({ tooOld: 0, tooMany: 2493 });
    expect((await ports.letters.list({ after: 0, limit: 1 })).map(({ text }) => text)).toEqual(['2493']);
  });

  test('an id is never used twice', async (ports) => {
    const ids = await threeLetters(ports);
    await ports.letters.dropAll();
    const others = await threeLetters(ports);
    expect(ids.filter((id) => others.includes(id))).toEqual([]);
  });
}
