import type { ConfigRecord, RecordDraft, RecordFields } from './config-record.ts';
import { CONFIG_FIELD, isSecret, MASK, type SecretNames } from '../configuration/configuration.ts';
import type { Json } from '../kernel/json.ts';
import type { FieldChange, NewActivity } from '../activity/activity-entry.ts';
import { boundChanges, type ActivityChanges } from '../activity/bound-changes.ts';
import type { Author } from '../kernel/author.ts';
import { RECORD_TEXTS, type Activity } from '../vocabulary/vocabulary.ts';

const FIELDS = [
  'plugin',
  'enabled',
  'order',
  ...RECORD_TEXTS,
  'deleted',
] as const satisfies readonly (keyof RecordFields)[];

const PINNED_VERSION = 'plugin_version';

type Described = RecordFields & Pick<ConfigRecord, 'schemaVersion' | 'pinnedVersion'>;

/**
 * Moves the time forward to `moment` if it is earlier. Requests are not stored in the order they arrive, but the
 * times in a history must not decrease.
 */
export function notBefore(author: Author, moment: Date): Author {
  return author.at < moment ? { ...author, at: moment } : author;
}

/** Returns the activity entry for a change of fields. */
export function describeChange(before: Described, after: Described, author: Author): NewActivity {
  return { ...author, activity: activityOf(before, after), changes: changesOf(before, after) };
}

/** Returns the changed fields, without the configuration. */
export function changesOf(before: Described, after: Described): readonly FieldChange[] {
  return [
    ...FIELDS.map((field) => ({ field, before: before[field], after: after[field] })),
    { field: 'schema_version', before: before.schemaVersion, after: after.schemaVersion },
    { field: PINNED_VERSION, before: before.pinnedVersion, after: after.pinnedVersion },
  ].filter((change) => change.before !== change.after);
}

/** Returns the activity entry for a new record. The store adds the position if it assigns one. */
export function describeCreation(
  draft: RecordDraft,
  author: Author,
  configuration: ActivityChanges | null = null,
): NewActivity {
  const entry = { ...author, activity: 'created', changes: initialFields(draft) } as const;
  if (configuration === null) return entry;
  const { changes, more = 0 } = boundChanges(
    [...entry.changes, ...configuration.changes],
    (change) => change,
  );
  return { ...entry, changes, more: more + (configuration.more ?? 0) };
}

/** Returns the fields of a new record that have a value. */
export function initialFields(draft: RecordDraft): readonly FieldChange[] {
  return [
    ...FIELDS.map((field) => ({ field, before: null, after: draft[field] })),
    { field: PINNED_VERSION, before: null, after: draft.pinnedVersion ?? null },
  ].filter(({ after }) => after !== null);
}

export function describeMove(before: number, after: number, author: Author): NewActivity {
  return { ...author, activity: 'rearranged', changes: [{ field: 'order', before, after }] };
}

function activityOf(before: RecordFields, after: RecordFields): Activity {
  if (before.deleted !== after.deleted) return after.deleted ? 'deleted' : 'restored';
  if (before.enabled !== after.enabled) return after.enabled ? 'enabled' : 'disabled';
  return 'updated';
}

/** Masks secret values in configuration changes. Returns the same array if there are none. */
export function maskChanges(
  changes: readonly FieldChange[],
  secretNames: SecretNames,
): readonly FieldChange[] {
  const showsSecret = ({ field, before, after }: FieldChange): boolean =>
    field.startsWith(CONFIG_FIELD) &&
    secretNames.has(field.slice(CONFIG_FIELD.length)) &&
    (isSecret(before) || isSecret(after));
  if (!changes.some(showsSecret)) return changes;
  const masked = (value: Json): Json => (isSecret(value) ? MASK : value);
  return changes.map((change) =>
    showsSecret(change) ? { ...change, before: masked(change.before), after: masked(change.after) } : change,
  );
}
