import type { Author } from '../kernel/author.ts';
import { DomainError, invalidInput, notFound } from '../kernel/domain-error.ts';
import type { Deadline } from '@plugin-config/flow';
import {
  checkPrecondition,
  type ConfigRecord,
  type Precondition,
  type RecordChange,
} from './config-record.ts';
import type { ConfigRecordStore, LockedFamily, LiveRecord } from './config-record-store.ts';
import type { FamilyRef } from '../project/family.ts';
import { byPosition, moveTo, type RecordPosition } from './ordering.ts';
import { REARRANGE_MAX, RECORD_TEXTS } from '../vocabulary/vocabulary.ts';

interface Command {
  readonly family: FamilyRef;
  readonly precondition: Precondition;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

interface Dependencies {
  readonly records: Pick<ConfigRecordStore, 'lock'>;
}

/** Moves the record identified by its plugin and, if several records attach that plugin, by its other fields. */
export function rearrangeRecord(
  dependencies: Dependencies,
  { order, wanted, ...command }: Command & { readonly order: number; readonly wanted: RecordChange },
): Promise<ConfigRecord> {
  return rearrange(dependencies, command, async (locked) => {
    const { id } = pickRecord(locked.live, wanted);
    await locked.move(moveTo(locked.live, id, order), command.author);
    const moved = await locked.record(id);
    if (moved === null) throw notFound();
    return moved;
  });
}

/** Sets the positions of several records in one step. Returns the positions of all live records, sorted. */
export function setOrders(
  dependencies: Dependencies,
  { orders, ...command }: Command & { readonly orders: ReadonlyMap<number, number> },
): Promise<readonly RecordPosition[]> {
  return rearrange(dependencies, command, async (locked) => {
    const { live } = locked;
    const current = new Map(live.map((record) => [record.id, record.order]));
    const unknown = orders.keys().find((id) => !current.has(id));
    if (unknown !== undefined) {
      throw new DomainError('does_not_exist', `No live record has the id ${unknown}.`, { attr: 'orders' });
    }
    const positions = [...orders].map(([id, order]) => ({ id, order }));
    const moved = positions.filter(({ id, order }) => current.get(id) !== order);
    await locked.move(moved, command.author);
    return live.map(({ id, order }) => ({ id, order: orders.get(id) ?? order })).toSorted(byPosition);
  });
}

/** Runs `work` with the family locked. Rejects families so large that rearranging them would delay everyone else. */
async function rearrange<T>(
  { records }: Dependencies,
  { family, precondition, deadline }: Command,
  work: (locked: LockedFamily) => Promise<T>,
): Promise<T> {
  const checked = async (locked: LockedFamily): Promise<T> => {
    checkPrecondition(precondition, locked.listVersion);
    if (locked.live.length <= REARRANGE_MAX) return work(locked);
    const limit = REARRANGE_MAX.toLocaleString('en');
    const message = `A family with more than ${limit} live records cannot be rearranged.`;
    throw new DomainError('invalid_input', message);
  };
  return records.lock(family, checked, deadline);
}

/** Finds the one live record with these fields. */
export function pickRecord(live: readonly LiveRecord[], wanted: RecordChange): LiveRecord {
  if (wanted.plugin === undefined) {
    throw new DomainError('required', 'This field is required.', { attr: 'plugin' });
  }
  const attached = live.filter((record) => record.plugin === wanted.plugin);
  const matching = attached.length > 1 ? attached.filter((record) => matches(record, wanted)) : attached;
  const [first, second] = wanted.deleted === true ? [] : matching;
  if (first === undefined) throw notFound();
  if (second === undefined) return first;
  const ids = matching.map(({ id }) => id).join(', ');
  throw invalidInput(
    'plugin',
    `Several records with this plugin match: ${ids}. Add a ${RECORD_TEXTS.join(', ')} or enabled to select one.`,
  );
}

function matches(record: LiveRecord, wanted: RecordChange): boolean {
  const fields = [...RECORD_TEXTS, 'enabled'] as const;
  return fields.every((field) => wanted[field] === undefined || wanted[field] === record[field]);
}
