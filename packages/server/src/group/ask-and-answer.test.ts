import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { askAndAnswer } from './ask-and-answer.ts';

/** Two ends of a channel. */
function channel() {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  const [one, other] = ends.map((end, at) =>
    Object.assign(end, {
      connected: true,
      send: (message: object) => ends[1 - at]?.emit('message', message),
    }),
  );
  if (one === undefined || other === undefined) throw new Error('There are two ends.');
  return { one, other };
}

interface Leader {
  take(of: string): Promise<boolean>;
}

test('an answer after the patience is told to whom it matters, so that what it grants can be given back', async () => {
  const { one, other } = channel();
  const granted = Promise.withResolvers<boolean>();
  askAndAnswer<Leader, object>(other, { take: () => granted.promise });
  const told = Promise.withResolvers<unknown>();
  const ask = askAndAnswer<object, Leader>(
    one,
    {},
    {
      patienceMs: 1,
      late: { take: (isTaken, of) => told.resolve([isTaken, of]) },
    },
  );
  await expect(ask('take', 'a')).rejects.toThrow('No answer to take in 1 ms.');
  granted.resolve(true);
  expect(await told.promise).toEqual([true, 'a']);
});
