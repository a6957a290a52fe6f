import { expect } from 'vitest';
import { aDeadMessage } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

async function threeLetters({ store, letters }: LogPorts): Promise<readonly number[]> {
  await store.store(['a', 'b', 'c'].map((text) => aDeadMessage({ text })));
  return (await letters.list({ after: 0, limit: 10 })).map(({ id }) => id);
}

export function deadLetterStoreContract(test: TestWith<LogPorts>): void {
  test('dead letters are listed as they came, page by page', async (ports) => {
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

  test('those are found that there are', async (ports) => {
    const [a = 0, , c = 0] = await threeLetters(ports);
    expect((await ports.letters.find([c, 999_999, a])).map(({ text }) => text)).toEqual(['a', 'c']);
    expect(await ports.letters.find([])).toEqual([]);
  });

  test('those are dropped that there are', async (ports) => {
    const [a = 0, b = 0, c = 0] = await threeLetters(ports);
    expect(await ports.letters.drop([c, a, 999_999])).toBe(2);
    expect(await ports.letters.drop([a])).toBe(0);
    expect((await ports.letters.list({ after: 0, limit: 10 })).map(({ id }) => id)).toEqual([b]);
  });

  test('all are dropped', async (ports) => {
    await threeLetters(ports);
    expect(await ports.letters.dropAll()).toBe(3);
    expect(await ports.letters.count()).toBe(0);
    expect(await ports.letters.dropAll()).toBe(0);
  });

  test('an id is never given twice', async (ports) => {
    const ids = await threeLetters(ports);
    await ports.letters.dropAll();
    const others = await threeLetters(ports);
    expect(ids.filter((id) => others.includes(id))).toEqual([]);
  });
}
