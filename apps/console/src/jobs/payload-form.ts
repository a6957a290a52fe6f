import type { Json, JsonObject } from '@plugin-config/client';
import { changesOf, type Drafts, type Field, type Form } from '../editing/field.ts';
import type { Problems } from '../editing/problems.ts';
import type { FieldError } from '../ui/error-text.ts';
import { localTimeOf } from '../ui/format.ts';

/** How errors name the payload, and before a dot what is in it. */
const PAYLOAD = 'job.payload';

/** Schemas with other keywords are too much for a form. */
const FORM_KEYWORDS = new Set([
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
]);

/**
 * Returns a form for payloads, with a field for each property of their schema, or one for all of the JSON.
 * @param given values to begin with
 */
export function payloadForm(schema: JsonObject | undefined, given: JsonObject = {}): Form {
  const { properties, required } = schema ?? {};
  if (schema === undefined || !isObject(properties) || !fitsForm(schema)) {
    const stored = Object.keys(given).length > 0 ? given : schema?.['default'];
    return { fields: [{ name: PAYLOAD, label: 'Payload (JSON)', type: 'json', stored }], others: null };
  }
  const fields = Object.entries(properties).map(([key, property]) => ({
    ...fieldOf(key, isObject(property) ? property : {}, given[key]),
    required: Array.isArray(required) && required.includes(key),
  }));
  return { fields, others: null };
}

function fitsForm(schema: JsonObject): boolean {
  const { type, additionalProperties: more = false } = schema;
  return type === 'object' && more === false && Object.keys(schema).every((key) => FORM_KEYWORDS.has(key));
}

function fieldOf(key: string, schema: JsonObject, given: Json | undefined): Field {
  const { title, description } = schema;
  const kind = kindOf(schema);
  const label = typeof title === 'string' ? title : key;
  const isTime = kind.isTime === true;
  // A value that the field cannot show would be sent unseen.
  const stored = [given, schema['default']].find(
    (value) => value !== undefined && (!isTime || isTimeText(value)),
  );
  const hints = [typeof description === 'string' ? description : '', isTime ? 'In your time zone.' : ''];
  return {
    name: `${PAYLOAD}.${key}`,
    label: kind.type === 'json' ? `${label} (JSON)` : label,
    hint: hints.filter((hint) => hint !== '').join(' '),
    stored,
    ...kind,
  };
}

function kindOf({ type, enum: values, format }: JsonObject): Pick<Field, 'type' | 'choices' | 'isTime'> {
  if (Array.isArray(values) && values.every((value) => typeof value !== 'object'))
    return { type: 'choice', choices: values as readonly Json[] };
  if (type === 'string') return { type, ...(format === 'date-time' && { isTime: true }) };
  if (type === 'number' || type === 'integer') return { type: 'number' };
  return { type: type === 'boolean' ? type : 'json' };
}

/** Returns the payload that is entered, and what the form itself finds wrong with it. */
export function payloadOf(
  form: Form,
  drafts: Drafts,
): { readonly payload: Json; readonly mistakes: Problems } {
  const { changes, problems: mistakes } = changesOf(form, drafts);
  const values = form.fields.map(({ name, stored }) => {
    const change = changes.get(name);
    return [name, change === undefined ? stored : change.value] as const;
  });
  const [first] = values;
  if (first?.[0] === PAYLOAD) return { payload: first[1] ?? null, mistakes };
  const entered = values.filter(([, value]) => value !== undefined);
  const payload = Object.fromEntries(entered.map(([name, value]) => [name.slice(PAYLOAD.length + 1), value]));
  return { payload: payload as JsonObject, mistakes };
}

/** Returns the errors of a response by the field whose value they are in, and whether others are in none. */
export function payloadErrors(
  errors: readonly FieldError[],
  { fields }: Form,
): { readonly problems: Problems; readonly hasOthers: boolean } {
  const found = errors.map(({ attr, detail }) => {
    const holders = fields.filter(({ name }) => attr === name || attr?.startsWith(`${name}.`) === true);
    const [field] = holders.toSorted((a, b) => b.name.length - a.name.length);
    if (field === undefined || attr === null) return null;
    const inner = attr.slice(field.name.length + 1);
    return [field.name, inner === '' ? detail : `${inner}: ${detail}`] as const;
  });
  const known = found.filter((one) => one !== null);
  // Reversed, so the first error of a field wins.
  return { problems: new Map(known.toReversed()), hasOthers: known.length < found.length };
}

const isTimeText = (value: Json): boolean => typeof value === 'string' && localTimeOf(value) !== '';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
