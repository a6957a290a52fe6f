import { expect, test } from 'vitest';
import { keyUses } from './key-uses.ts';

test('the last use of each key is stored once', async () => {
  const written: ReadonlyMap<number, Date>[] = [];
  const uses = keyUses({ keys: { touch: async (batch) => void written.push(batch) } });
  await uses.flush();
  uses.add(1, new Date(1));
  uses.add(2, new Date(2));
  uses.add(1, new Date(3));
  await uses.flush();
  await uses.flush();
  expect(written).toEqual([
    new Map([
      [1, new Date(3)],
      [2, new Date(2)],
    ]),
  ]);
});

test('uses that could not be stored are kept until the next flush, unless there are later uses', async () => {
  const written: ReadonlyMap<number, Date>[] = [];
  let isDown = true;
  const touch = async (batch: ReadonlyMap<number, Date>): Promise<void> => {
    if (isDown) throw new Error('away');
    written.push(batch);
  };
  const uses = keyUses({ keys: { touch } });
  uses.add(1, new Date(1));
  uses.add(2, new Date(2));
  const flushing = uses.flush();
  uses.add(1, new Date(5));
  await expect(flushing).rejects.toThrow('away');
  isDown = false;
  await uses.flush();
  expect(written).toEqual([
    new Map([
      [1, new Date(5)],
      [2, new Date(2)],
    ]),
  ]);
});
