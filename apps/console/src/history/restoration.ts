import type { ConfigRecord, Json, Revision } from '@plugin-config/client';
import { isSame } from '../editing/field.ts';
import { ENTRY } from '../record/changes.ts';
import { entriesOf } from '../record/plugin-info.ts';
import type { FieldChange } from './shown-change.ts';

type Restored = Pick<ConfigRecord, 'name' | 'description' | 'enabled' | 'config'>;

/** Returns the current value of a field in the form of the history: null if it is not set. */
export function currentValue(record: Restored, field: string): Json {
  if (field.startsWith(ENTRY)) return entriesOf(record).get(field.slice(ENTRY.length)) ?? null;
  return field === 'name' || field === 'description' || field === 'enabled' ? record[field] : null;
}

/** Returns what restoring a revision changes. Secrets stay unchanged. */
export function revisionChanges(
  record: Restored,
  revision: Pick<Revision, 'name' | 'description' | 'config'>,
  secrets: ReadonlySet<string>,
): readonly FieldChange[] {
  const [now, then] = [entriesOf(record), entriesOf(revision)];
  const keys = [...new Set([...now.keys(), ...then.keys()])].filter((key) => !secrets.has(key));
  const changes = [
    { field: 'name', before: record.name, after: revision.name },
    { field: 'description', before: record.description, after: revision.description },
    ...keys.map((key) => ({
      field: ENTRY + key,
      before: now.get(key) ?? null,
      after: then.get(key) ?? null,
    })),
  ];
  return changes.filter(({ before, after }) => !isSame(before, after));
}
