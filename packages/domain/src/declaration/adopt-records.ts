import type { Deadline } from '@plugin-config/flow';
import { DomainError, type DomainErrorCode } from '../kernel/domain-error.ts';
import { tooManyRecords } from './declaration.ts';
import type { ManagedRecords } from './managed-records.ts';
import type { Ownership } from './plan.ts';
import { DECLARED_MAX } from '../vocabulary/vocabulary.ts';

interface Command {
  readonly projectId: number;
  readonly manager: string;
  readonly records: readonly Omit<Ownership, 'manager'>[];
  readonly deadline?: Deadline | undefined;
}

type AdoptedOrConflict =
  | { readonly kind: 'adopted'; readonly records: readonly Ownership[] }
  /** Adopts no record if another manager owns one of them. */
  | { readonly kind: 'conflict'; readonly conflicts: readonly Ownership[] };

/**
 * Gives the manager ownership of records under these keys, without changing the records. A record that it owns already
 * gets the key.
 */
export function adoptRecords(
  { managed }: { readonly managed: ManagedRecords },
  { records, deadline, ...scope }: Command,
): Promise<AdoptedOrConflict> {
  return managed.lock(
    { ...scope, plugins: [], pins: [] },
    async (locked): Promise<AdoptedOrConflict> => {
      const found = await locked.owners(records.map(({ id }) => id));
      const foundById = new Map(found.map((each) => [each.id, each]));
      const owned = Object.values(locked.state.families).flatMap((family) => family.owned);
      const idOf = new Map(owned.map(({ key, record }) => [`${record.family} ${key}`, record.id]));
      const given = new Set<number>();
      for (const [i, { family, id, key }] of records.entries()) {
        const name = `${family} ${key}`;
        if (foundById.get(id)?.family !== family)
          throw rejected('does_not_exist', `records[${i}].id`, `No record of this family has the id ${id}.`);
        if (given.has(id))
          throw rejected('invalid_input', `records[${i}].id`, 'This record is listed twice.');
        if ((idOf.get(name) ?? id) !== id) {
          const message = `Another record of the manager has the key "${key}".`;
          throw rejected('invalid_input', `records[${i}].key`, message);
        }
        given.add(id);
        idOf.set(name, id);
      }
      const conflicts = found.flatMap(({ owner, ...record }) =>
        owner === null || owner.manager === scope.manager ? [] : [{ ...record, ...owner }],
      );
      if (conflicts.length > 0) return { kind: 'conflict', conflicts };
      const live = owned.filter(({ record }) => !record.deleted);
      const added = records.filter(({ id }) => foundById.get(id)?.owner === null);
      if (live.length + added.length > DECLARED_MAX) throw tooManyRecords('records');
      const protectedIds = new Set(owned.flatMap((each) => (each.preventDestroy ? each.record.id : [])));
      const changed = records.filter(({ id, key }) => foundById.get(id)?.owner?.key !== key);
      await locked.store(
        changed.map(({ id, ...named }) => ({ ...named, preventDestroy: protectedIds.has(id), record: id })),
      );
      return { kind: 'adopted', records: records.map((record) => ({ ...record, manager: scope.manager })) };
    },
    deadline,
  );
}

function rejected(code: DomainErrorCode, attr: string, message: string): DomainError {
  return new DomainError(code, message, { attr });
}
