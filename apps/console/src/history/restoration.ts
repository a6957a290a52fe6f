import type { ConfigRecord, Json } from '@plugin-config/client';
import { RECORD_TEXTS, type RecordText } from '@plugin-config/domain/vocabulary';
import { isSame } from '../editing/field.ts';
import { ENTRY } from '../record/changes.ts';
import { entriesOf } from '../record/plugin-info.ts';
import type { FieldChange } from './shown-change.ts';

type Restored = Pick<ConfigRecord, RecordText | 'config'> & { readonly enabled?: boolean };

/** Returns the value of a field as the history has it: null if it is not set. */
export function currentValue(record: Restored, field: string): Json {
  if (field.startsWith(ENTRY)) return entriesOf(record).get(field.slice(ENTRY.length)) ?? null;
  const own = [...RECORD_TEXTS, 'enabled' as const].find((each) => each === field);
  return (own && record[own]) ?? null;
}

/** Returns what restoring a revision changes. Secrets stay unchanged. */
export function revisionChanges(
  record: Restored,
  revision: Restored,
  secrets: ReadonlySet<string>,
): readonly FieldChange[] {
  const keys = new Set([...entriesOf(record).keys(), ...entriesOf(revision).keys()]);
  const entries = [...keys].filter((key) => !secrets.has(key)).map((key) => ENTRY + key);
  return [...RECORD_TEXTS, ...entries]
    .map((field) => ({ field, before: currentValue(record, field), after: currentValue(revision, field) }))
    .filter(({ before, after }) => !isSame(before, after));
}
