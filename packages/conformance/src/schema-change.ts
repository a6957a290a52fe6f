import { isObject, locate, type JsonObject } from './document.ts';

/** A schema, and the document that its references point into. */
export interface SchemaIn {
  readonly document: JsonObject;
  readonly schema: JsonObject;
}

interface Options {
  /** True if `wide` must have every property of `narrow`. */
  readonly keepsProperties?: boolean;
}

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const EQUAL = ['pattern', 'format'];

/**
 * Lists where a value of the schema `narrow` may not match the schema `wide`. For requests, `narrow` is the old schema: the
 * service still accepts every old request. For responses, it is the new schema: clients can still read every new response.
 */
export function schemaChange(wide: SchemaIn, narrow: SchemaIn, options: Options = {}): readonly string[] {
  const [outer, inner] = [resolved(wide), resolved(narrow)];
  const [alternatives, given] = [alternativesOf(outer), alternativesOf(inner)];
  if (alternatives.length > 1 || given.length > 1) {
    const fits = (each: SchemaIn) =>
      alternatives.some((other) => schemaChange(other, each, options).length === 0);
    return given.every(fits) ? [] : [': alternatives changed'];
  }
  return [...keywordChanges(outer.schema, inner.schema), ...partChanges(outer, inner, options)];
}

function keywordChanges(wide: JsonObject, narrow: JsonObject): readonly string[] {
  const isBeyond = (name: string, sign: 1 | -1): boolean => {
    const bound = wide[name];
    return typeof bound === 'number' && !(sign * Number(narrow[name]) >= sign * bound);
  };
  const changed = [
    ...LOWER_BOUNDS.filter((name) => isBeyond(name, 1)),
    ...UPPER_BOUNDS.filter((name) => isBeyond(name, -1)),
    ...EQUAL.filter((name) => wide[name] !== undefined && wide[name] !== narrow[name]),
    ...(isWithin(typesOf(wide), typesOf(narrow)) ? [] : ['type']),
    ...(isWithin(valuesOf(wide), valuesOf(narrow)) ? [] : ['enum']),
  ];
  return changed.map((name) => `: ${name} changed`);
}

function partChanges(
  wide: SchemaIn,
  narrow: SchemaIn,
  { keepsProperties = false }: Options,
): readonly string[] {
  const options = { keepsProperties };
  const [known, given] = [propertiesOf(wide.schema), propertiesOf(narrow.schema)];
  const required = namesIn(wide.schema['required']).filter(
    (name) => !namesIn(narrow.schema['required']).includes(name),
  );
  const within = (schema: unknown, { document }: SchemaIn): SchemaIn => ({
    document,
    schema: schema as JsonObject,
  });
  const properties = Object.entries(given).flatMap(([name, schema]) => {
    const other = known[name];
    if (other === undefined) return keepsProperties ? [`.${name} removed`] : [];
    return schemaChange(within(other, wide), within(schema, narrow), options).map(
      (change) => `.${name}${change}`,
    );
  });
  const parts = ['items', 'additionalProperties', 'propertyNames'].flatMap((name) => {
    const [outer, inner] = [wide.schema[name], narrow.schema[name]];
    if (!isObject(outer) || !isObject(inner))
      return outer === false && inner !== false ? [`: ${name} changed`] : [];
    return schemaChange(within(outer, wide), within(inner, narrow), options).map((change) => `[]${change}`);
  });
  return [...required.map((name) => `.${name}: required changed`), ...properties, ...parts];
}

function resolved({ document, schema }: SchemaIn): SchemaIn {
  const { $ref } = schema;
  return {
    document,
    schema: typeof $ref === 'string' ? locate(document, $ref.replace('#', '')).value : schema,
  };
}

function alternativesOf({ document, schema }: SchemaIn): readonly SchemaIn[] {
  const { anyOf = schema['oneOf'] } = schema;
  return Array.isArray(anyOf)
    ? anyOf.map((each: JsonObject) => ({ document, schema: each }))
    : [{ document, schema }];
}

/** Null allows any type. */
const typesOf = ({ type }: JsonObject): readonly unknown[] | null =>
  type === undefined ? null : [type].flat();

const valuesOf = ({ enum: values, const: value }: JsonObject): readonly unknown[] | null =>
  Array.isArray(values) ? values : value === undefined ? null : [value];

function isWithin(wide: readonly unknown[] | null, narrow: readonly unknown[] | null): boolean {
  return wide === null || narrow?.every((value) => wide.includes(value)) === true;
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});

const namesIn = (names: unknown): readonly string[] => (Array.isArray(names) ? names.map(String) : []);
