import type { ConfigRecord, Json, JsonObject, RecordChange } from '@plugin-config/client';
import { referenceOf } from '../editing/reference.ts';

/** The prefix of configuration entries in field names, as in the activity. */
export const ENTRY = 'config.';

/** The labels of other fields. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  enabled: 'Enabled',
  deleted: 'Deleted',
  order: 'Position',
  plugin: 'Plugin',
};

/** Describes a value of a field; null and undefined mean that it is not set. */
export function valueText(value: Json | undefined): string {
  const reference = referenceOf(value);
  if (reference !== undefined) return `reference ${reference}`;
  if (value === null || value === undefined) return 'not set';
  if (value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

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

/** Returns the entries to change; null removes one. */
export function entriesToChange(changes: Changes): JsonObject {
  return Object.fromEntries(
    [...changes].map(([field, { value }]) => [field.slice(ENTRY.length), value ?? null]),
  );
}

/** Returns the configuration after the changes: secrets that stay are masked, and those to clear are empty. */
export function configWith({ config }: Pick<ConfigRecord, 'config'>, changes: Changes): JsonObject {
  const kept = Object.entries(JSON.parse(config) as JsonObject).filter(([key]) => !changes.has(ENTRY + key));
  const set = [...changes].flatMap(([field, { value, isSecret }]) => {
    const now = value ?? (isSecret ? '' : undefined);
    return now === undefined ? [] : [[field.slice(ENTRY.length), now] as const];
  });
  return Object.fromEntries([...kept, ...set]);
}
