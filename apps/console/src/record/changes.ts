import type { ConfigRecord, Json, JsonObject, RecordChange } from '@plugin-config/client';
import { entriesOf, secretKeysOf } from './plugin-info.ts';

/** The prefix of configuration entries in field names, as in the activity. */
export const ENTRY = 'config.';

export interface Change {
  /** Undefined clears the field: it removes the entry or secret, or sets the text to null. */
  readonly value: Json | undefined;
  readonly isSecret: boolean;
}

/** The changes of a save by field name, as in the activity: either configuration entries or other fields. */
export type Changes = ReadonlyMap<string, Change>;

/** Returns the body of an update. */
export function recordChangeOf(changes: Changes): RecordChange {
  return Object.fromEntries([...changes].map(([field, { value }]) => [field, value ?? null]));
}

/** Returns the whole configuration after the changes. Unchanged secrets are left out, so they keep their values. */
export function configurationWith(
  record: Pick<ConfigRecord, 'config' | 'plugin_info'>,
  changes: Changes,
): JsonObject {
  const secrets = secretKeysOf(record);
  const entries = new Map([...entriesOf(record)].filter(([key]) => !secrets.has(key)));
  for (const [field, { value, isSecret }] of changes) {
    const key = field.slice(ENTRY.length);
    if (value !== undefined) entries.set(key, value);
    else if (isSecret) entries.set(key, '');
    else entries.delete(key);
  }
  return Object.fromEntries(entries);
}
