import { PluginConfigError, type ConfigRecord, type ConfigRecords } from '@plugin-config/client';
import type { FamilyState } from '../../live/family-records.ts';
import { planMove, type Destination, type MoveRequest } from './plan-move.ts';

interface Dependencies {
  readonly family: Pick<ConfigRecords, 'rearrange' | 'setPositions'>;
  readonly known: () => FamilyState | undefined;
  /** Reads the changes. */
  readonly readNow: () => Promise<FamilyState | undefined>;
  /** Returns who changed the order last; null if unknown. */
  readonly lastMover: () => Promise<string | null>;
}

export interface RequestedMove {
  readonly id: number;
  readonly to: Destination;
  /** The ids of the records in the order that the user saw. */
  readonly seen: readonly number[];
}

/** Reported if an earlier move failed, or someone else made one. */
const OTHER_ORDER = 'Not moved: the order changed before this move. The list now shows the current order.';
const ATTEMPTS = 5;

/**
 * Moves a record if the family still has the order that the user saw; otherwise rejects. Changes that do not
 * affect the order are ignored. Returns the records before the move, or null if there was nothing to move.
 */
export async function executeMove(
  { family, known, readNow, lastMover }: Dependencies,
  { id, to, seen }: RequestedMove,
): Promise<readonly ConfigRecord[] | null> {
  const first = known();
  if (first === undefined) return null;
  if (ids(first.records) !== seen.join()) throw new Error(OTHER_ORDER);
  let current = first;
  for (let attempt = 1; ; attempt += 1) {
    const planned = planMove(current.records, id, to);
    if (planned === null) return null;
    try {
      await send(family, planned.request, current.tag);
      await readNow();
      return first.records;
    } catch (error) {
      if (!(error instanceof PluginConfigError) || error.status !== 412) throw error;
      current = (await readNow()) ?? first;
      // The move was made, but its response was lost.
      if (ids(current.records) === ids(planned.expected)) return first.records;
      if (places(current.records) !== places(first.records)) throw await orderChanged(lastMover);
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function send(family: Dependencies['family'], request: MoveRequest, ifMatch: string): Promise<void> {
  await ('move' in request
    ? family.rearrange(request.move, { ifMatch })
    : family.setPositions(request.positions, { ifMatch }));
}

async function orderChanged(lastMover: Dependencies['lastMover']): Promise<Error> {
  const mover = await lastMover().catch(() => null);
  const by = mover === null ? '' : ` by ${mover}`;
  return new Error(`Not moved: the order was changed${by}. The list now shows the current order.`);
}

const ids = (records: readonly ConfigRecord[]): string => records.map(({ id }) => id).join();
const places = (records: readonly ConfigRecord[]): string =>
  records.map(({ id, order }) => `${id} ${order}`).join();
