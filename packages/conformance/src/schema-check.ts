import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type JsonObject } from './document.ts';

/** Returns why none of the values matches the schema at the pointer; null if one does. */
export type SchemaCheck = (pointer: string, values: readonly unknown[]) => string | null;

const ID = 'openapi.json';

/** Checks values against the schemas of a document. Compiles each schema on its first use. */
export function schemaCheck(document: JsonObject): SchemaCheck {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(Object.keys(document)).addSchema(closed(document), ID);
  const validators = new Map<string, ValidateFunction>();
  return (pointer, values) => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${ID}#${encodeURI(pointer)}` });
    validators.set(pointer, validate);
    if (values.some((value) => validate(value))) return null;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`.trim();
  };
}

/** Disallows additional properties in every object schema that does not mention them. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (!isObject(schema)) return schema;
  const whole = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = isObject(schema['properties']) && schema['additionalProperties'] === undefined;
  return (isOpen ? { ...whole, additionalProperties: false } : whole) as T;
}
