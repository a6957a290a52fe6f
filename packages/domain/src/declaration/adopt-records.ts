import type { Deadline } from '@plugin-config/flow';
import { DomainError } from '../kernel/domain-error.ts';
import type { Family } from '../project/family.ts';
import type {
  LockedProject,
  ManagedRecords,
  NewOwnership,
  OwnedRecord,
  Ownership,
} from './managed-records.ts';
import type { Conflict } from './plan.ts';

interface Dependencies {
  readonly managed: ManagedRecords;
}

interface Command {
  readonly projectId: number;
  readonly manager: string;
  readonly deadline?: Deadline | undefined;
}

export type AdoptOutcome =
  | { readonly kind: 'adopted'; readonly records: readonly Ownership[] }
  /** Nothing is adopted if another manager owns one of the records. */
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] };

/**
 * Gives the manager ownership of records under these keys, without changing the records. Skips records that it
 * already owns.
 */
export function adoptRecords(
  { managed }: Dependencies,
  { records, deadline, ...scope }: Command & { readonly records: readonly Omit<Ownership, 'manager'>[] },
): Promise<AdoptOutcome> {
  return managed.lock(
    { ...scope, plugins: [] },
    async (locked) => adopt(locked, scope.manager, records),
    deadline,
  );
}

async function adopt(
  locked: LockedProject,
  manager: string,
  records: readonly Omit<Ownership, 'manager'>[],
): Promise<AdoptOutcome> {
  const owners = await locked.owners(records.map(({ id }) => id));
  const known = new Map(owners.map((owner) => [owner.id, owner]));
  const owned = ownedIn(locked);
  const idOf = idsByKey(owned);
  const conflicts: Conflict[] = [];
  const given = new Set<number>();
  for (const [i, { family, id, key }] of records.entries()) {
    const owner = known.get(id);
    if (owner?.family !== family)
      throw unknown(`records[${i}].id`, `No record of this family has the id ${id}.`);
    if (given.has(id)) throw duplicate(`records[${i}].id`, 'This record is listed twice.');
    given.add(id);
    if (owner.manager !== null && owner.manager !== manager) {
      conflicts.push({ family, id, key: owner.key ?? '', manager: owner.manager });
      continue;
    }
    if ((idOf.get(keyIn(family, key)) ?? id) !== id) {
      throw duplicate(`records[${i}].key`, `Another record of the manager has the key "${key}".`);
    }
    idOf.set(keyIn(family, key), id);
  }
  if (conflicts.length > 0) return { kind: 'conflict', conflicts };
  const protectedIds = new Set(
    owned.filter(({ preventDestroy }) => preventDestroy).map(({ record }) => record.id),
  );
  const changed = records
    .filter(({ id, key }) => known.get(id)?.key !== key)
    .map((record): NewOwnership => ({ ...record, preventDestroy: protectedIds.has(record.id) }));
  await locked.own(changed);
  return { kind: 'adopted', records: records.map((record) => ({ ...record, manager })) };
}

/** Ends the manager's ownership of these records, without changing them. Resolves to the released records. */
export function releaseRecords(
  { managed }: Dependencies,
  { keys, deadline, ...scope }: Command & { readonly keys: readonly Pick<Ownership, 'family' | 'key'>[] },
): Promise<readonly Ownership[]> {
  const release = async (locked: LockedProject): Promise<readonly Ownership[]> => {
    const idOf = idsByKey(ownedIn(locked));
    const released = keys.map(({ family, key }, i) => {
      const id = idOf.get(keyIn(family, key));
      if (id === undefined)
        throw unknown(`keys[${i}].key`, `The manager owns no record "${key}" in this family.`);
      return { family, id, key, manager: scope.manager };
    });
    await locked.disown(released);
    return released;
  };
  return managed.lock({ ...scope, plugins: [] }, release, deadline);
}

function ownedIn({ state }: LockedProject): readonly OwnedRecord[] {
  return Object.values(state.families).flatMap((family) => family.owned);
}

function idsByKey(owned: readonly OwnedRecord[]): Map<string, number> {
  return new Map(owned.map(({ key, record }) => [keyIn(record.family, key), record.id]));
}

const keyIn = (family: Family, key: string): string => `${family} ${key}`;

function unknown(attr: string, message: string): DomainError {
  return new DomainError('does_not_exist', message, { attr });
}

function duplicate(attr: string, message: string): DomainError {
  return new DomainError('invalid_input', message, { attr });
}
