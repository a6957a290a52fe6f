import { DomainError } from '../kernel/domain-error.ts';
import { checkJson, checkNumbers } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import { checkText } from '../kernel/text.ts';
import { checkValue, type ConfigField } from './config-field.ts';

const KEY_MAX = 200;

/** Rejects schemas that no configuration could satisfy. */
export function checkSchema(jsonSchemas: JsonSchemas, schema: readonly ConfigField[]): void {
  const keys = new Set<string>();
  for (const field of schema) {
    if (field.key === '') throw rejected('blank', 'A field needs a key.');
    checkText(field.key, { attr: 'config_schema', max: KEY_MAX });
    if (keys.has(field.key)) throw rejected('invalid_input', `The key "${field.key}" occurs twice.`);
    keys.add(field.key);
    checkField(jsonSchemas, field);
  }
}

function checkField(jsonSchemas: JsonSchemas, field: ConfigField): void {
  if (field.type === 'choice' && (field.choices ?? []).length === 0) {
    throw rejected('required', `The choice "${field.key}" needs choices.`);
  }
  if (field.secret === true && field.site === true) {
    throw rejected('invalid_input', `"${field.key}" cannot be both secret and for the site.`);
  }
  if (field.runtimeWritable === true && field.secret !== true) {
    throw rejected('invalid_input', `"${field.key}" can only be written by runtimes if it is secret.`);
  }
  if (field.schema !== undefined) {
    if (field.type !== 'json')
      throw rejected('invalid_input', `"${field.key}" can only have a JSON Schema if its type is "json".`);
    const subject = `The "schema" of "${field.key}"`;
    jsonSchemas.check(field.schema, { attr: 'config_schema', subject });
  }
  if (field.default != null) {
    checkJson(field.default, 'config_schema');
    checkNumbers(field.default, field.key);
    checkValue(jsonSchemas, field, field.default);
  }
}

function rejected(code: 'blank' | 'required' | 'invalid_input', message: string): DomainError {
  return new DomainError(code, message, { attr: 'config_schema' });
}
