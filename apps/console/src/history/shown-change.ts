import type { ActivityEntry, Json } from '@plugin-config/client';
import { RECORD_TEXTS } from '@plugin-config/domain/vocabulary';
import { referenceOf } from '../editing/reference.ts';
import { ENTRY, FIELD_LABELS, valueText } from '../record/changes.ts';

export type FieldChange = ActivityEntry['changes'][number];

export type ShownChange = { readonly label: string } & (
  | { readonly kind: 'secret'; readonly text: 'set' | 'changed' | 'cleared' }
  | { readonly kind: 'values'; readonly before: string; readonly after: string }
  | { readonly kind: 'lines'; readonly before: string; readonly after: string }
);

/** Fields whose change an activity names. */
const SAID_BY_ACTIVITY: ReadonlySet<string> = new Set(['enabled', 'deleted']);

/** The mask of a secret in responses. */
const MASK = '********';
/** The end of a value that the service truncated. */
const CUT = /… \(\d+ more characters\)$/;
const CUT_MIN = 1000;

export function shownChange({ field, before, after }: FieldChange): ShownChange {
  const label = labelOf(field);
  if (isSecret({ field, before, after })) {
    if (isEmpty(before)) return { kind: 'secret', label, text: 'set' };
    return { kind: 'secret', label, text: isEmpty(after) ? 'cleared' : 'changed' };
  }
  const texts = { before: textOf(before), after: textOf(after) };
  const isCompared = !isEmpty(before) && !isEmpty(after);
  const hasLines = isCompared && Object.values(texts).some((text) => text.includes('\n'));
  return { kind: hasLines ? 'lines' : 'values', label, ...texts };
}

/** The labels of the fields that a line names. A new record has a value in each, and a moved one says so. */
export function changedFields(
  activity: ActivityEntry['activity'],
  fields: readonly string[],
): readonly string[] {
  if (activity === 'created' || activity === 'rearranged') return [];
  return fields
    .filter((field) => !SAID_BY_ACTIVITY.has(field))
    .map((field) => FIELD_LABELS[field] ?? field.replace(ENTRY, ''));
}

function labelOf(field: string): string {
  return field.startsWith(ENTRY)
    ? `Configuration: ${field.slice(ENTRY.length)}`
    : (FIELD_LABELS[field] ?? field);
}

/** Whether the change shows nothing but masks. A reference is shown. */
function isSecret({ field, before, after }: FieldChange): boolean {
  if (!field.startsWith(ENTRY) || isReference(before) || isReference(after)) return false;
  return before === MASK || after === MASK;
}

const isReference = (value: Json): boolean => referenceOf(value) !== undefined;

const isEmpty = (value: Json): boolean => value === null || value === '';

const textOf = (value: Json): string => (value === MASK ? 'secret value' : valueText(value));

/** Whether a field can be restored to a value: it is complete, and not masked. */
export function isRestorable(change: FieldChange, value: Json): boolean {
  const { field } = change;
  if (![...RECORD_TEXTS, 'enabled'].includes(field) && !field.startsWith(ENTRY)) return false;
  const isCut = typeof value === 'string' && value.length > CUT_MIN && CUT.test(value);
  return !isSecret(change) && value !== MASK && !isCut;
}
