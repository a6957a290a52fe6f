import type { Deadline } from '@plugin-config/flow';
import { DomainError, type DomainErrorCode } from '../kernel/domain-error.ts';
import type { LockedProject, ManagedRecords, OwnedRecord } from './managed-records.ts';
import type { Ownership } from './plan.ts';
import type { Family } from '../vocabulary/vocabulary.ts';

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
  | { readonly kind: 'conflict'; readonly conflicts: readonly Ownership[] };

/**
 * Gives the manager ownership of records under these keys, without changing the records. Skips records that it
 * already owns.
 */
export function adoptRecords(
  { managed }: Dependencies,
  { records, deadline, ...scope }: Command & { readonly records: readonly Omit<Ownership, 'manager'>[] },
): Promise<AdoptOutcome> {
  const adopt = async (locked: LockedProject): Promise<AdoptOutcome> => {
    const found = await locked.owners(records.map(({ id }) => id));
    const owners = new Map(found.map((owner) => [owner.id, owner]));
    const owned = ownedIn(locked);
    const idOf = idsByKey(owned);
    const given = new Set<number>();
    for (const [i, { family, id, key }] of records.entries()) {
      const at = `records[${i}]`;
      if (owners.get(id)?.family !== family)
        throw rejected('does_not_exist', `${at}.id`, `No record of this family has the id ${id}.`);
      if (given.has(id)) throw rejected('invalid_input', `${at}.id`, 'This record is listed twice.');
      given.add(id);
      if ((idOf.get(keyIn(family, key)) ?? id) !== id) {
        const message = `Another record of the manager has the key "${key}".`;
        throw rejected('invalid_input', `${at}.key`, message);
      }
      idOf.set(keyIn(family, key), id);
    }
    const conflicts = found.flatMap(({ owner, ...record }) =>
      owner === null || owner.manager === scope.manager ? [] : [{ ...record, ...owner }],
    );
    if (conflicts.length > 0) return { kind: 'conflict', conflicts };
    const protectedIds = new Set(owned.flatMap((each) => (each.preventDestroy ? each.record.id : [])));
    const changed = records.filter(({ id, key }) => owners.get(id)?.owner?.key !== key);
    await locked.store(
      changed.map(({ id, ...named }) => ({ ...named, preventDestroy: protectedIds.has(id), record: id })),
    );
    return { kind: 'adopted', records: records.map((record) => ({ ...record, manager: scope.manager })) };
  };
  return managed.lock({ ...scope, plugins: [] }, adopt, deadline);
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
      const message = `The manager owns no record "${key}" in this family.`;
      if (id === undefined) throw rejected('does_not_exist', `keys[${i}].key`, message);
      return { family, id, key, manager: scope.manager };
    });
    await locked.release(released.map(({ id }) => id));
    return released;
  };
  return managed.lock({ ...scope, plugins: [] }, release, deadline);
}

function ownedIn({ state }: LockedProject): readonly OwnedRecord[] {
  return Object.values(state.families).flatMap(({ owned }) => owned);
}

function idsByKey(owned: readonly OwnedRecord[]): Map<string, number> {
  return new Map(owned.map(({ key, record }) => [keyIn(record.family, key), record.id]));
}

const keyIn = (family: Family, key: string): string => `${family} ${key}`;

function rejected(code: DomainErrorCode, attr: string, message: string): DomainError {
  return new DomainError(code, message, { attr });
}
