import { newDeadLetter, type DeadReason, type MessageOwner, type NewDeadLetter } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aDeadMessage } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

const ALL_LETTERS = { after: 0, limit: 1000 };

function aLetter(text: string, owner: MessageOwner = 'account 1'): NewDeadLetter {
  return newDeadLetter(aDeadMessage({ text }), 'not_json', owner);
}

async function added(
  { stores, deadLetters: store }: LogPorts,
  ...texts: readonly string[]
): Promise<readonly number[]> {
  await stores.withBatch(({ deadLetters }) =>
    deadLetters.add(
      texts.map((text) => aLetter(text)),
      1000,
    ),
  );
  return (await store.list(ALL_LETTERS)).map(({ id }) => id);
}

export function deadLetterWriterContract(test: TestWith<LogPorts>): void {
  test('a dead letter is added unchanged and only once', async (ports) => {
    const { identity, ...letter } = aLetter('text');
    expect(identity).not.toBe(aLetter('another text').identity);
    const [id] = await added(ports, 'text', 'text');
    expect(await ports.deadLetters.list(ALL_LETTERS)).toEqual([{ ...letter, id }]);
    expect(await added(ports, 'another text', 'text')).toHaveLength(2);
  });

  test('an owner above its maximum loses its oldest dead letters, and existing ones displace none', async (ports) => {
    const add = (...texts: readonly string[]): Promise<void> =>
      ports.stores.withBatch(({ deadLetters }) =>
        deadLetters.add(
          texts.map((text) => aLetter(text)),
          4,
        ),
      );
    const texts = async () => (await ports.deadLetters.list(ALL_LETTERS)).map(({ text }) => text);
    await add('a', 'b');
    await add('c', 'd');
    for (let i = 0; i < 5; i++) await add('c', 'c', 'd', 'c');
    expect(await texts()).toEqual(['a', 'b', 'c', 'd']);
    await add('e');
    expect(await texts()).toEqual(['b', 'c', 'd', 'e']);
    await add('f', 'e', 'g');
    expect(await texts()).toEqual(['d', 'e', 'f', 'g']);
  });

  test('an owner never displaces the dead letters of another one, in separate batches or the same one', async (ports) => {
    const add = (...letters: readonly NewDeadLetter[]): Promise<void> =>
      ports.stores.withBatch(({ deadLetters }) => deadLetters.add(letters, 2));
    const texts = async () => (await ports.deadLetters.list(ALL_LETTERS)).map(({ text }) => text);
    await add(aLetter('a', 'project 1'), aLetter('b', 'project 1'), aLetter('c', 'account 1'));
    for (let n = 0; n < 5; n++) await add(aLetter(`junk ${n}`, 'project 2'));
    expect(await texts()).toEqual(['a', 'b', 'c', 'junk 3', 'junk 4']);
    await add(aLetter('d', 'project 1'), aLetter('junk 5', 'project 2'), aLetter('e', 'account 1'));
    expect(await texts()).toEqual(['b', 'c', 'junk 4', 'd', 'junk 5', 'e']);
  });

  test('only existing dead letters are locked', async (ports) => {
    const [first = 0, second = 0] = await added(ports, 'first', 'second');
    const locked = await ports.stores.withBatch(({ deadLetters }) =>
      deadLetters.lock([second, 999_999, first]),
    );
    expect([...locked].toSorted((a, b) => a - b)).toEqual([first, second]);
  });

  test('a batch waits for a locked dead letter until the batch that locked it has ended', async (ports) => {
    const [id = 0] = await added(ports, 'text');
    const ends: string[] = [];
    const locked = Promise.withResolvers<void>();
    const first = ports.stores.withBatch(async ({ deadLetters }) => {
      await deadLetters.lock([id]);
      locked.resolve();
      for (let i = 0; i < 20; i++) await ports.deadLetters.count();
      await deadLetters.remove([id]);
      ends.push('first');
    });
    await locked.promise;
    const second = ports.stores.withBatch(async ({ deadLetters }) => {
      expect(await deadLetters.lock([id])).toEqual(new Set());
      ends.push('second');
    });
    await Promise.all([first, second]);
    expect(ends).toEqual(['first', 'second']);
  });

  test('changing the reasons of dead letters leaves others unchanged', async (ports) => {
    const [first = 0, second = 0] = await added(ports, 'first', 'second');
    const reasons = new Map<number, DeadReason>([
      [second, 'no_log'],
      [999_999, 'no_log'],
    ]);
    await ports.stores.withBatch(({ deadLetters }) => deadLetters.changeReasons(reasons));
    expect((await ports.deadLetters.list(ALL_LETTERS)).map(({ id, reason }) => [id, reason])).toEqual([
      [first, 'not_json'],
      [second, 'no_log'],
    ]);
  });

  test('dead letters can be removed repeatedly', async (ports) => {
    const [first = 0, second = 0] = await added(ports, 'first', 'second');
    for (let i = 0; i < 2; i++)
      await ports.stores.withBatch(({ deadLetters }) => deadLetters.remove([first]));
    expect((await ports.deadLetters.list(ALL_LETTERS)).map(({ id }) => id)).toEqual([second]);
  });
}
