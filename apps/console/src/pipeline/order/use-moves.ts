import type { ConfigRecord, FamilyActivityEntry } from '@plugin-config/client';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { knownFamily, readFamilyNow, recordsOf } from '../../live/use-family.ts';
import { recordName } from '../../record/plugin-info.ts';
import type { FamilyRef } from '../../shell/addresses.ts';
import { notify } from '../../ui/notices.tsx';
import { executeMove, type RequestedMove } from './execute-move.ts';
import { planMove, type Destination } from './plan-move.ts';

const movesKey = ({ projectId, family }: FamilyRef) => ['move', projectId, family] as const;
const pendingOf = (at: FamilyRef) => ({ mutationKey: movesKey(at), status: 'pending' }) as const;

/**
 * Moves records of a family sequentially, and offers to undo each move. Returns the records in the order `expected`
 * after all pending moves.
 */
export function useMoves(at: FamilyRef, records: readonly ConfigRecord[]) {
  const queries = useQueryClient();
  const family = recordsOf(at);
  const { mutate, error, variables } = useMutation({
    mutationKey: movesKey(at),
    scope: { id: movesKey(at).join(' ') },
    mutationFn: async (move: RequestedMove) =>
      executeMove(
        {
          family,
          known: () => knownFamily(queries, at),
          readNow: async () => readFamilyNow(queries, at),
          lastMover: async () => {
            const { results } = await family.familyActivity({ limit: 100 }).page();
            return results.find(changesOrder)?.actor.label ?? null;
          },
        },
        move,
      ),
    // A notice, since a later move or another page may be shown by now.
    onError: ({ message }) => notify(message),
    onSuccess: (before, { id }) => {
      if (before === null) return;
      const [moved, predecessor] = withPredecessor(knownFamily(queries, at)?.records ?? [], id);
      const [, earlier] = withPredecessor(before, id);
      if (moved === undefined) return;
      const place = predecessor === undefined ? 'the first in the order' : `after ${recordName(predecessor)}`;
      notify(
        `Moved ${recordName(moved)} to position ${moved.order}, ${place}.`,
        { Undo: () => move(id, earlier === undefined ? 'first' : { after: earlier.id }) },
        'move',
      );
    },
  });
  const pending = useMutationState({
    filters: pendingOf(at),
    select: ({ state }) => state.variables as RequestedMove,
  });
  const expected = useMemo(() => expectedOrder(records, pending), [pending, records]);
  /** The order after all pending moves. Keys may be pressed faster than the page renders their moves. */
  const expectedNow = (): readonly ConfigRecord[] => {
    const moves = queries.getMutationCache().findAll(pendingOf(at));
    return expectedOrder(
      knownFamily(queries, at)?.records ?? [],
      moves.map(({ state }) => state.variables as RequestedMove),
    );
  };
  const move = (id: number, to: Destination): void =>
    mutate({ id, to, seen: expectedNow().map((record) => record.id) });
  return { move, isMoving: pending.length > 0, error, lastMove: variables, expected, expectedNow };
}

function expectedOrder(
  records: readonly ConfigRecord[],
  pending: readonly RequestedMove[],
): readonly ConfigRecord[] {
  return pending.reduce((shown, { id, to }) => planMove(shown, id, to)?.expected ?? shown, records);
}

/** Returns a record and the one before it. */
function withPredecessor(records: readonly ConfigRecord[], id: number) {
  const index = records.findIndex((record) => record.id === id);
  return [records[index], records[index - 1]] as const;
}

function changesOrder({ activity, changes }: FamilyActivityEntry): boolean {
  return (
    ['rearranged', 'created', 'deleted', 'restored'].includes(activity) ||
    changes.some(({ field }) => field === 'order')
  );
}
