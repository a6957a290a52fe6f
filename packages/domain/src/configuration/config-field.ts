import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import type { FieldType } from '../vocabulary/vocabulary.ts';
import { rejectAll } from './reject-each.ts';

export interface ConfigField {
  readonly key: string;
  readonly type: FieldType;
  readonly name?: string | undefined;
  readonly default?: Json | undefined;
  readonly required?: boolean | undefined;
  readonly choices?: readonly string[] | undefined;
  /** The value is stored encrypted and never returned. */
  readonly secret?: boolean | undefined;
  /** Whether runtimes may change the value, which is secret. */
  readonly runtimeWritable?: boolean | undefined;
  /** Whether browsers may see the value. */
  readonly site?: boolean | undefined;
  readonly hint?: string | undefined;
  /** A JSON Schema for the value of a `json` field. */
  readonly schema?: JsonObject | undefined;
}

/** Checks a value against its schema field. The errors of a secret say nothing about its value. */
export function checkValue(
  jsonSchemas: JsonSchemas,
  { key, type, choices, secret, schema }: ConfigField,
  value: Json,
): void {
  if (type === 'json') {
    const errors = schema === undefined ? [] : jsonSchemas.errors(schema, value, key);
    if (secret === true && errors.length > 0)
      throw invalidInput(key, 'The JSON Schema of this field rejects the value.');
    rejectAll(errors);
    return;
  }
  if (value === null) throw new DomainError('null', 'This field may not be null.', { attr: key });
  if (type === 'choice') {
    if (typeof value === 'string' && choices?.includes(value)) return;
    const valid = (choices ?? []).map((choice) => JSON.stringify(choice)).join(', ');
    throw invalidInput(key, `Not a valid choice. Valid choices: ${valid}.`);
  }
  if (typeof value !== type) {
    throw invalidInput(key, `A valid ${type} is required.`);
  }
}
