import type { ConfigRecord, Json } from '@plugin-config/client';
import { isSame } from '../editing/field.ts';
import { ENTRY, type Change, type Changes } from '../record/changes.ts';
import { entriesOf, isSecretSet, secretKeysOf } from '../record/plugin-info.ts';

/** The value of a field on one side. For a secret, only whether it is set or was changed on that side. */
export type Value = { readonly json: Json | undefined } | { readonly secret: 'set' | 'not set' | 'changed' };

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
      const isTheirs = isTouched(field) || isSecretSet(old) !== isSecretSet(current);
      if (!isTheirs && change === null) return [];
      const [was, is] = [stateOf(old), stateOf(current)];
      const own = change?.value === undefined ? 'not set' : 'changed';
      return {
        field,
        base: { secret: was },
        theirs: { secret: isTheirs && is === 'set' ? 'changed' : is },
        mine: { secret: change === null ? was : own },
        isTheirs,
        change,
        needsChoice: isTheirs && change !== null && (is === 'set' || own === 'changed'),
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

/** Returns my changes that remain after a merge. Where a choice is needed, mine stays if chosen. */
export function keptChanges(
  differences: readonly Difference[],
  isMineChosen: (field: string) => boolean,
): Changes {
  return new Map(
    differences.flatMap(({ field, change, isTheirs, needsChoice }) => {
      if (change === null || (isTheirs && !needsChoice) || (needsChoice && !isMineChosen(field))) return [];
      return [[field, change] as const];
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

const stateOf = (shown: Json | undefined): 'set' | 'not set' => (isSecretSet(shown) ? 'set' : 'not set');
