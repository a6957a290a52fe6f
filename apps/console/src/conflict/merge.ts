import type { ConfigRecord, Json } from '@plugin-config/client';
import { isSame } from '../editing/field.ts';
import { referenceOf } from '../editing/reference.ts';
import { ENTRY, type Change, type Changes } from '../record/changes.ts';
import { entriesOf, isSecretSet, secretKeysOf } from '../record/plugin-info.ts';

/** The value of a field on one side. */
export type Value = { readonly json: Json | undefined } | SecretState;

/** The reference to a secret, or whether the secret is set or was changed on that side. */
type SecretState = { readonly reference: string } | { readonly secret: 'set' | 'not set' | 'changed' };

/** A field that either side changed. */
export interface Difference {
  /** The name of the field in the activity. */
  readonly field: string;
  readonly base: Value;
  readonly theirs: Value;
  readonly mine: Value;
  readonly isTheirs: boolean;
  /** My change; null if there is none. */
  readonly change: Change | null;
  /** Whether both sides changed the field to different values. */
  readonly needsChoice: boolean;
}

type Readable = Pick<
  ConfigRecord,
  'name' | 'description' | 'enabled' | 'deleted' | 'order' | 'plugin' | 'plugin_info' | 'config'
>;

interface Sides {
  /** The record that my changes are based on. */
  readonly base: Readable;
  /** The record with their changes. */
  readonly theirs: Readable;
  readonly mine: Changes;
  /** Whether they may have changed a field; needed for secrets. */
  readonly isTouched: (field: string) => boolean;
}

/** Returns the fields in which either side differs from the base. */
export function differencesOf({ base, theirs, mine, isTouched }: Sides): readonly Difference[] {
  const secrets = new Set([...secretKeysOf(base), ...secretKeysOf(theirs)].map((key) => ENTRY + key));
  const [before, after] = [jsonOf(base), jsonOf(theirs)];
  const fields = [...new Set([...before.keys(), ...after.keys(), ...mine.keys()])];
  return fields.flatMap((field) => {
    const change = mine.get(field) ?? null;
    const [old, current] = [before.get(field), after.get(field)];
    if (secrets.has(field)) {
      const isTheirs = isTouched(field) || !isSame(old, current);
      if (!isTheirs && change === null) return [];
      const was = stateOf(old, 'set');
      const is = stateOf(current, isTheirs ? 'changed' : 'set');
      const own = change === null ? was : stateOf(change.value, 'changed');
      return {
        field,
        base: was,
        theirs: is,
        mine: own,
        isTheirs,
        change,
        needsChoice: isTheirs && change !== null && !isSameState(is, own),
      };
    }
    const isTheirs = !isSame(old, current);
    if (!isTheirs && change === null) return [];
    const own = change === null ? old : change.value;
    return {
      field,
      base: { json: old },
      theirs: { json: current },
      mine: { json: own },
      isTheirs,
      change,
      needsChoice: isTheirs && change !== null && !isSame(own, current),
    };
  });
}

/** Returns my changes that survive a merge. Where a choice is needed, mine survives if chosen. */
export function keptChanges(
  differences: readonly Difference[],
  isMineChosen: (difference: Difference) => boolean,
): Changes {
  return new Map(
    differences.flatMap((difference) => {
      const { field, change, isTheirs, needsChoice } = difference;
      const isKept = needsChoice ? isMineChosen(difference) : !isTheirs;
      return change !== null && isKept ? [[field, change] as const] : [];
    }),
  );
}

function jsonOf({ name, description, enabled, deleted, order, plugin, ...record }: Readable) {
  const fields = {
    name: name ?? undefined,
    description: description ?? undefined,
    enabled,
    deleted,
    order,
    plugin,
  };
  return new Map<string, Json | undefined>([
    ...Object.entries(fields),
    ...[...entriesOf(record)].map(([key, value]) => [ENTRY + key, value] as const),
  ]);
}

function stateOf(value: Json | undefined, whenSet: 'set' | 'changed'): SecretState {
  const reference = referenceOf(value);
  if (reference !== undefined) return { reference };
  return { secret: isSecretSet(value) ? whenSet : 'not set' };
}

/** Whether two states are known to be the same: masked values cannot be compared. */
function isSameState(a: SecretState, b: SecretState): boolean {
  if ('reference' in a) return 'reference' in b && a.reference === b.reference;
  return a.secret === 'not set' && 'secret' in b && b.secret === 'not set';
}
