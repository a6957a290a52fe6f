import type { ConfigRecord, FamilyActivityEntry } from '@plugin-config/client';
import { useIsMutating, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { knownFamily, readFamilyNow, recordsOf } from '../../live/use-family.ts';
import type { FamilyRef } from '../../shell/addresses.ts';
import { useNotify } from '../../ui/notices.tsx';
import { recordName } from '../names.ts';
import { carryOut, type WantedMove } from './carry-out.ts';
import { planMove, type Destination } from './plan-move.ts';

const movesKey = ({ projectId, family }: FamilyRef) => ['move', projectId, family] as const;
const pendingOf = (at: FamilyRef) => ({ mutationKey: movesKey(at), status: 'pending' }) as const;

/** Moves records of a family, one after the other, tells what was moved, and offers to undo it. */
export function useMoves(at: FamilyRef) {
  const queries = useQueryClient();
  const notify = useNotify();
  const family = recordsOf(at);
  const { mutate, error, variables } = useMutation({
    mutationKey: movesKey(at),
    scope: { id: movesKey(at).join(' ') },
    mutationFn: async (move: WantedMove) =>
      carryOut(
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
    // A later move, or another page, may be shown.
    onError: ({ message }) => notify(message),
    onSuccess: (before, { id }) => {
      const records = knownFamily(queries, at)?.records ?? [];
      const index = records.findIndex((record) => record.id === id);
      const moved = records[index];
      if (before === null || moved === undefined) return;
      const back = predecessorOf(before, id);
      notify(
        `${recordName(moved)} is at position ${moved.order} now, ${beside(records, index)}.`,
        { Undo: () => move(id, back) },
        'move',
      );
    },
  });
  const isMoving = useIsMutating({ mutationKey: movesKey(at) }) > 0;
  /** The expected order at this moment: keys may be pressed faster than the page shows what they move. */
  const expectedNow = (): readonly ConfigRecord[] =>
    expectedOrder(
      knownFamily(queries, at)?.records ?? [],
      queries
        .getMutationCache()
        .findAll(pendingOf(at))
        .map(({ state }) => state.variables as WantedMove),
    );
  const move = (id: number, to: Destination): void =>
    mutate({ id, to, seen: expectedNow().map((record) => record.id) });
  return { move, isMoving, error, tried: variables, expectedNow };
}

/** The records of a family in the order to which the moves lead that are under way. */
export function useExpectedOrder(at: FamilyRef, records: readonly ConfigRecord[]): readonly ConfigRecord[] {
  const pending = useMutationState({
    filters: pendingOf(at),
    select: ({ state }) => state.variables as WantedMove,
  });
  return useMemo(() => expectedOrder(records, pending), [pending, records]);
}

function expectedOrder(
  records: readonly ConfigRecord[],
  pending: readonly WantedMove[],
): readonly ConfigRecord[] {
  return pending.reduce((shown, { id, to }) => planMove(shown, id, to)?.expected ?? shown, records);
}

function predecessorOf(records: readonly ConfigRecord[], id: number): Destination {
  const before = records[records.findIndex((record) => record.id === id) - 1];
  return before === undefined ? 'first' : { after: before.id };
}

function beside(records: readonly ConfigRecord[], index: number): string {
  const before = records[index - 1];
  return before === undefined ? 'the first' : `after ${recordName(before)}`;
}

function changesOrder({ activity, changes }: FamilyActivityEntry): boolean {
  return (
    ['rearranged', 'created', 'deleted', 'restored'].includes(activity) ||
    changes.some(({ field }) => field === 'order')
  );
}
