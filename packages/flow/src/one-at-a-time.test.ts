import { expect, test } from 'vitest';
import { deadline } from './deadline.ts';
import { oneAtATime } from './one-at-a-time.ts';

const DEADLINE = deadline(1000, () => 0);
const never = (): (() => void) => () => undefined;
const rejection = () => new Error('waited too long');

test('callers with one name run in turn, even if one of them fails', async () => {
  const inTurn = oneAtATime<number>({ timer: never, rejection });
  const events: string[] = [];
  const work = (n: number) => async () => {
    events.push(`${n} begins`);
    await Promise.resolve();
    events.push(`${n} ends`);
    if (n === 1) throw new Error('cut off');
    return n;
  };
  const all = [0, 1, 2, 3].map((n) => inTurn('name', DEADLINE, work(n)));
  expect(await Promise.allSettled(all)).toMatchObject([
    { value: 0 },
    { reason: { message: 'cut off' } },
    { value: 2 },
    { value: 3 },
  ]);
  expect(events).toEqual([0, 1, 2, 3].flatMap((n) => [`${n} begins`, `${n} ends`]));
});

test('a caller that waits too long is rejected and never runs', async () => {
  const waits: number[] = [];
  const inTurn = oneAtATime<number>({
    timer: (work, afterMs) => {
      waits.push(afterMs);
      work();
      return () => undefined;
    },
    rejection,
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  const first = inTurn('name', DEADLINE, () => promise);
  const second = inTurn('name', DEADLINE, () => Promise.reject(new Error('must not run')));
  await expect(second).rejects.toThrow('waited too long');
  expect(waits).toEqual([1000]);
  resolve(1);
  expect(await first).toBe(1);
});

test('callers with other names do not wait', async () => {
  const inTurn = oneAtATime<number>({ timer: never, rejection });
  const { promise, resolve } = Promise.withResolvers<number>();
  const first = inTurn('name', DEADLINE, () => promise);
  expect(await inTurn('other', DEADLINE, async () => 2)).toBe(2);
  resolve(1);
  await first;
});
