import type { ConfigRecord, Json, JsonObject, RecordChange } from '@plugin-config/client';
import { entriesOf, secretKeysOf } from './plugin-info.ts';

/** Precedes the key of an entry of the configuration in the name of its field, as in the activity. */
export const ENTRY = 'config.';

export interface Change {
  /** Undefined clears the field: the entry is removed, the secret forgotten, the text null. */
  readonly value: Json | undefined;
  readonly isSecret: boolean;
}

/** What a save changes, by the names of the fields as the activity has them. Of the configuration, or of other fields. */
export type Changes = ReadonlyMap<string, Change>;

/** The body of an update. */
export function recordChangeOf(changes: Changes): RecordChange {
  return Object.fromEntries([...changes].map(([field, { value }]) => [field, value ?? null]));
}

/** The whole configuration after the changes. A secret that is not changed is missing, and so keeps its value. */
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
