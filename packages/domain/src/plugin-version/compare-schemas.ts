import type { ConfigField } from '../configuration/config-field.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Json } from '../kernel/json.ts';

type Schema = readonly ConfigField[];

/** Properties of a field that are for people. */
const TEXTS: ReadonlySet<string> = new Set(['name', 'hint']);

/**
 * Returns the differences for which configurations need another schema version; empty if every configuration keeps its
 * validity and its meaning. Without a schema, everything is valid.
 */
export function schemaDifferences(before: Schema | undefined, after: Schema | undefined): readonly string[] {
  if (before === undefined || after === undefined) {
    if (before === after) return [];
    return [before === undefined ? 'There was no schema.' : 'The schema is gone.'];
  }
  const fields = new Map(after.map((field) => [field.key, field]));
  const former = new Set(before.map(({ key }) => key));
  return [
    ...before.flatMap((field) => fieldDifferences(field, fields.get(field.key))),
    ...after.flatMap((field) => (former.has(field.key) ? [] : additionDifferences(field))),
  ];
}

function additionDifferences({ key, required, default: value }: ConfigField): readonly string[] {
  return required === true && value == null ? [`"${key}" is new and required.`] : [];
}

function fieldDifferences(before: ConfigField, after: ConfigField | undefined): readonly string[] {
  const { key } = before;
  if (after === undefined) return [`"${key}" is gone.`];
  const properties = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...properties].flatMap((property) => {
    if (TEXTS.has(property)) return [];
    const [old, next] = [valueOf(before, property), valueOf(after, property)];
    if (JSON.stringify(old) === JSON.stringify(next) || allows(property, old, next)) return [];
    return [`"${key}" has another "${SHOWN[property] ?? property}".`];
  });
}

const SHOWN: Readonly<Record<string, string>> = { runtimeWritable: 'runtime_writable' };

/** Returns a property of a field. One that is false or null is as good as absent. */
function valueOf(field: ConfigField, property: string): Json {
  const value = new Map<string, Json | undefined>(Object.entries(field)).get(property) ?? false;
  return property === 'default' && value === false && field.default !== false ? null : value;
}

/** Whether a change of a property leaves all configurations as valid as they were. */
function allows(property: string, old: Json, next: Json): boolean {
  if (property === 'required') return next === false;
  if (property === 'schema') return canonicalJson(withoutTexts(old)) === canonicalJson(withoutTexts(next));
  if (property !== 'choices' || !Array.isArray(old) || !Array.isArray(next)) return false;
  const now = new Set(next);
  return old.every((choice) => now.has(choice));
}

const SCHEMA_TEXTS: ReadonlySet<string> = new Set(['title', 'description']);
/** Keywords of JSON Schemas that have values. */
const SCHEMA_VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** Returns a JSON Schema without its texts. A property of a value can have the name of one, but then is no text. */
function withoutTexts(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  const kept = Object.entries(schema).filter(
    ([name, value]) => !(SCHEMA_TEXTS.has(name) && typeof value === 'string'),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, SCHEMA_VALUES.has(name) ? value : withoutTexts(value)]),
  );
}
