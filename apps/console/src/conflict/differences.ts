import type { ConfigRecord, Json } from '@plugin-config/client';
import { isSame } from '../editing/field.ts';
import { referenceOf } from '../editing/reference.ts';
import { ENTRY, FIELD_LABELS, valueText, type Changes } from '../record/changes.ts';
import { entriesOf, isSecretSet, pluginInfoOf, secretKeysOf } from '../record/plugin-info.ts';

/** A field that either side changed, with its label and the texts of both values. */
export type Difference = readonly [label: string, theirs: string, mine: string];

type Sided = Pick<ConfigRecord, 'config' | 'plugin_info'> & Readonly<Record<string, unknown>>;

/** Returns the fields in which their version or mine differs from the one that my changes are based on. */
export function differencesOf(base: Sided, theirs: Sided, mine: Changes): readonly Difference[] {
  const schema = pluginInfoOf(theirs)?.config_schema ?? [];
  const secrets = new Set([...secretKeysOf(base), ...secretKeysOf(theirs)].map((key) => ENTRY + key));
  const [before, after] = [valuesOf(base), valuesOf(theirs)];
  const fields = [...new Set([...before.keys(), ...after.keys(), ...mine.keys()])];
  return fields.flatMap((field) => {
    const change = mine.get(field);
    const [old, current] = [before.get(field), after.get(field)];
    if (change === undefined && isSame(old, current)) return [];
    const label = schema.find(({ key }) => ENTRY + key === field)?.name ?? FIELD_LABELS[field] ?? field;
    const text = secrets.has(field) ? secretText : valueText;
    const own = change === undefined ? text(current) : changeText(change.value, secrets.has(field));
    return [[label, text(current), own]];
  });
}

function valuesOf(record: Sided): ReadonlyMap<string, Json | undefined> {
  return new Map<string, Json | undefined>([
    ...Object.keys(FIELD_LABELS).map((field) => [field, (record[field] as Json) ?? undefined] as const),
    ...[...entriesOf(record)].map(([key, value]) => [ENTRY + key, value] as const),
  ]);
}

function changeText(value: Json | undefined, isSecret: boolean): string {
  return isSecret && referenceOf(value) === undefined && isSecretSet(value) ? 'changed' : valueText(value);
}

/** Whether a secret is set. Its mask says nothing else. */
function secretText(shown: Json | undefined): string {
  return referenceOf(shown) === undefined && isSecretSet(shown) ? 'set' : valueText(shown);
}
