import type { ConfigRecord, FamilyActivityEntry } from '@plugin-config/client';
import { useIsMutating, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { knownFamily, readFamilyNow, recordsOf } from '../../live/use-family.ts';
import type { FamilyRef } from '../../shell/addresses.ts';
import { useNotify } from '../../ui/notices.tsx';
import { recordName } from '../names.ts';
import { executeMove, type RequestedMove } from './execute-move.ts';
import { planMove, type Destination } from './plan-move.ts';

const movesKey = ({ projectId, family }: FamilyRef) => ['move', projectId, family] as const;
const pendingOf = (at: FamilyRef) => ({ mutationKey: movesKey(at), status: 'pending' }) as const;

/** Moves records of a family sequentially, and offers to undo each move. */
export function useMoves(at: FamilyRef) {
  const queries = useQueryClient();
  const notify = useNotify();
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
      const records = knownFamily(queries, at)?.records ?? [];
      const index = records.findIndex((record) => record.id === id);
      const moved = records[index];
      if (before === null || moved === undefined) return;
      const back = predecessorOf(before, id);
      notify(
        `Moved ${recordName(moved)} to position ${moved.order}, ${neighbourText(records, index)}.`,
        { Undo: () => move(id, back) },
        'move',
      );
    },
  });
  const isMoving = useIsMutating({ mutationKey: movesKey(at) }) > 0;
  /** The order after all pending moves. Keys may be pressed faster than the page renders their moves. */
  const expectedNow = (): readonly ConfigRecord[] =>
    expectedOrder(
      knownFamily(queries, at)?.records ?? [],
      queries
        .getMutationCache()
        .findAll(pendingOf(at))
        .map(({ state }) => state.variables as RequestedMove),
    );
  const move = (id: number, to: Destination): void =>
    mutate({ id, to, seen: expectedNow().map((record) => record.id) });
  return { move, isMoving, error, lastMove: variables, expectedNow };
}

/** The records of a family in the order after all pending moves. */
export function useExpectedOrder(at: FamilyRef, records: readonly ConfigRecord[]): readonly ConfigRecord[] {
  const pending = useMutationState({
    filters: pendingOf(at),
    select: ({ state }) => state.variables as RequestedMove,
  });
  return useMemo(() => expectedOrder(records, pending), [pending, records]);
}

function expectedOrder(
  records: readonly ConfigRecord[],
  pending: readonly RequestedMove[],
): readonly ConfigRecord[] {
  return pending.reduce((shown, { id, to }) => planMove(shown, id, to)?.expected ?? shown, records);
}

function predecessorOf(records: readonly ConfigRecord[], id: number): Destination {
  const before = records[records.findIndex((record) => record.id === id) - 1];
  return before === undefined ? 'first' : { after: before.id };
}

function neighbourText(records: readonly ConfigRecord[], index: number): string {
  const before = records[index - 1];
  return before === undefined ? 'the first in the order' : `after ${recordName(before)}`;
}

function changesOrder({ activity, changes }: FamilyActivityEntry): boolean {
  return (
    ['rearranged', 'created', 'deleted', 'restored'].includes(activity) ||
    changes.some(({ field }) => field === 'order')
  );
}
