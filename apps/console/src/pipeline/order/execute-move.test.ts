import { PluginConfigError, type ConfigRecord } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { executeMove } from './execute-move.ts';

test('a move is conditional on the list that the user saw, which is read again afterwards', async () => {
  const { calls, dependencies } = family([[1, 2, 3]], []);
  const before = await executeMove(dependencies, { id: 3, to: 'first', seen: [1, 2, 3] });
  expect(before?.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(calls).toEqual(['rearrange 3 to 1 if tag 0', 'read']);
});

test('if someone else changed the order, the move is rejected with their name and not retried', async () => {
  const { calls, dependencies } = family(
    [
      [1, 2, 3],
      [2, 1, 3],
    ],
    [rejected],
  );
  const moved = executeMove(dependencies, { id: 3, to: 'first', seen: [1, 2, 3] });
  await expect(moved).rejects.toThrow('Not moved: the order was changed by dashboard.');
  expect(calls).toEqual(['rearrange 3 to 1 if tag 0', 'read']);
});

test('a move that waited for another is rejected if the resulting order is not the one the user saw', async () => {
  const { calls, dependencies } = family([[1, 2, 3]], []);
  const moved = executeMove(dependencies, { id: 3, to: { after: 2 }, seen: [2, 1, 3] });
  await expect(moved).rejects.toThrow('Not moved: the order changed before this move.');
  expect(calls).toEqual([]);
});

test('a change that does not affect the order does not reject a move', async () => {
  const { calls, dependencies } = family(
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
    [rejected],
  );
  await executeMove(dependencies, { id: 3, to: 'first', seen: [1, 2, 3] });
  expect(calls).toEqual(['rearrange 3 to 1 if tag 0', 'read', 'rearrange 3 to 1 if tag 1', 'read']);
});

test('a move whose response was lost counts as done', async () => {
  const { calls, dependencies } = family(
    [
      [1, 2, 3],
      [3, 1, 2],
    ],
    [rejected],
  );
  await executeMove(dependencies, { id: 3, to: 'first', seen: [1, 2, 3] });
  expect(calls).toEqual(['rearrange 3 to 1 if tag 0', 'read']);
});

test('a move fails with the error of the service, and gives up on a list that keeps changing', async () => {
  const broken = new PluginConfigError('PATCH', { code: 'unreachable', detail: 'No response.' });
  await expect(
    executeMove(family([[1, 2]], [broken]).dependencies, { id: 2, to: 'first', seen: [1, 2] }),
  ).rejects.toBe(broken);
  const busy = family(
    [[1, 2]],
    Array.from({ length: 9 }, () => rejected),
  );
  await expect(executeMove(busy.dependencies, { id: 2, to: 'first', seen: [1, 2] })).rejects.toBe(rejected);
  expect(busy.calls).toHaveLength(10);
});

const rejected = new PluginConfigError('PATCH', {
  code: 'precondition_failed',
  detail: 'The list has changed.',
  status: 412,
});

/** A family with the next of these orders after each read, whose first moves fail with these errors. */
function family(orders: readonly (readonly number[])[], errors: readonly Error[]) {
  const calls: string[] = [];
  let reads = 0;
  let moves = 0;
  const state = () => ({
    version: '',
    tag: `tag ${reads}`,
    records: (orders[Math.min(reads, orders.length - 1)] ?? []).map(
      (id, i) => ({ id, plugin: id, order: i + 1 }) as ConfigRecord,
    ),
  });
  return {
    calls,
    dependencies: {
      family: {
        rearrange: async ({ plugin, order }: { plugin: number; order: number }, options?: object) => {
          const { ifMatch } = options as { ifMatch: string };
          calls.push(`rearrange ${plugin} to ${order} if ${ifMatch}`);
          const error = errors[moves];
          moves += 1;
          if (error !== undefined) throw error;
          return {} as ConfigRecord;
        },
        setPositions: async () => [],
      },
      known: state,
      readNow: async () => {
        calls.push('read');
        reads += 1;
        return state();
      },
      lastMover: async () => 'dashboard',
    },
  };
}
