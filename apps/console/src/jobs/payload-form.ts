import type { Json, JsonObject } from '@plugin-config/client';
import { changesOf, type Drafts, type Form } from '../editing/field.ts';
import { isObject, newItem, shapeOf, withoutReferences } from '../editing/nested-shape.ts';
import type { Problems } from '../editing/problems.ts';

/** How errors name the payload, and before a dot what is in it. */
const PAYLOAD = 'job.payload';

/**
 * Returns a form for payloads. It begins with the defaults of their schema.
 * @param given values to begin with
 */
export function payloadForm(schema: JsonObject | undefined, given: JsonObject = {}, hint?: string): Form {
  const label = schema === undefined ? 'Payload (JSON)' : 'Payload';
  const stored = startOf(withoutReferences(schema ?? {}), given);
  const field = { name: PAYLOAD, label, type: 'json', schema, stored, ...(hint && { hint }) } as const;
  return { fields: [field], others: null };
}

function startOf(schema: JsonObject, given: JsonObject): Json | undefined {
  const shape = shapeOf(schema);
  if (shape.kind !== 'object') return Object.keys(given).length > 0 ? given : schema['default'];
  const start = newItem(schema);
  // A value that the form cannot show would be sent unseen.
  const shown = shape.parts.flatMap(({ key }) => (key in given ? [[key, given[key]]] : []));
  return { ...(isObject(start) && start), ...Object.fromEntries(shown) } as JsonObject;
}

/** Returns the payload that is entered, and what the form itself finds wrong with it. */
export function payloadOf(
  form: Form,
  drafts: Drafts,
): { readonly payload: Json; readonly mistakes: Problems } {
  const { changes, problems: mistakes } = changesOf(form, drafts);
  const stored = form.fields[0]?.stored;
  const change = changes.get(PAYLOAD);
  const value = change === undefined ? stored : change.value;
  return { payload: value ?? (isObject(stored) ? {} : null), mistakes };
}
