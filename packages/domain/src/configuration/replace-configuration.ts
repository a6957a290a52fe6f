import type { FieldChange } from '../activity/activity-entry.ts';
import { boundChanges, type ActivityChanges } from '../activity/bound-changes.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { checkJson, checkNumbers, type Json, type JsonObject } from '../kernel/json.ts';
import { utf8Length } from '../kernel/text.ts';
import { checkValue, type ConfigField } from './config-field.ts';
import {
  conceal,
  CONFIG_FIELD,
  MASK,
  readValues,
  writeValues,
  type Configuration,
  type Configured,
  type Values,
} from './configuration.ts';
import { isCurrent, type SecretBox } from './secret-box.ts';

/** Of compact JSON. */
export const CONFIGURATION_MAX_BYTES = 256 * 1024;
/** Enough for a configuration of long secrets, encrypted. */
const SECRETS_MAX = 512 * 1024;
const VALUE_MAX = 1000;
const ERRORS_MAX = 100;
const ERRORS_MAX_CHARACTERS = 16 * 1024;

interface ReplaceOptions {
  readonly others?: readonly FieldChange[];
  readonly isKept?: (key: string) => boolean;
}

export interface Replacement extends Configuration, ActivityChanges {
  /** The replaced configuration, with all its secrets masked. */
  readonly replaced: string;
}

/**
 * Replaces the configuration and describes the changes without any secret, after other changes of the record. A secret
 * field that is still plain text counts as sealed: a new schema of the plugin applies at once, before its records are
 * sealed. Entries that `isKept` names are as they were stored, and are not checked.
 */
export function replaceConfiguration(
  { record, secrets: stored, plugin }: Configured,
  newConfig: JsonObject,
  box: SecretBox,
  { others = [], isKept = () => false }: ReplaceOptions = {},
): Replacement {
  const schema = plugin?.configSchema;
  checkJson(newConfig, 'config', CONFIGURATION_MAX_BYTES);
  checkSize(JSON.stringify(newConfig));
  const { config: current, secrets } = conceal({ config: record.config, secrets: stored }, schema ?? [], box);
  const fields = new Map(schema?.map((field) => [field.key, field]));
  const isSecret = (key: string): boolean => secrets.has(key) || fields.get(key)?.secret === true;
  const entries = Object.entries(newConfig).filter(([key, value]) => !(isSecret(key) && value === MASK));
  const given = new Map(entries);
  throwAll([
    ...Object.entries(newConfig).map(
      ([key, value]) =>
        () =>
          checkNumbers(value, key),
    ),
    ...entries.map(([key, value]) => () => {
      if (isKept(key)) return;
      checkAgainstSchema(key, value, { hasSchema: schema !== undefined, fields, isSecret: isSecret(key) });
    }),
    ...(schema ?? []).map((field) => () => {
      const isStored = isSecret(field.key) && secrets.has(field.key) && !given.has(field.key);
      if (!isStored) checkRequired(field, given, isSecret(field.key));
    }),
  ]);

  const sealed = new Map(secrets);
  const replaced = new Set<string>();
  for (const [key, value] of entries.filter(([name]) => isSecret(name))) {
    const plain = JSON.stringify(value);
    const before = secrets.get(key);
    if (value === '') sealed.delete(key);
    else if (before === undefined || !isCurrent(before, box) || box.open(before) !== plain)
      sealed.set(key, box.seal(plain));
    if (sealed.get(key) !== before) replaced.add(key);
  }
  const values = new Map(entries.filter(([key]) => !isSecret(key)));
  for (const key of sealed.keys()) values.set(key, MASK);
  const config = writeValues(values);
  checkSize(config);
  checkSecretsSize(secrets, sealed);
  const changes = describe(readValues(current), values, { replaced, others });
  return { config, secrets: sealed, replaced: current, ...changes };
}

interface SchemaOfValue {
  readonly hasSchema: boolean;
  readonly fields: ReadonlyMap<string, ConfigField>;
  /** The field is a secret, which an empty text clears. */
  readonly isSecret: boolean;
}

function checkAgainstSchema(key: string, value: Json, { hasSchema, fields, isSecret }: SchemaOfValue): void {
  if (isSecret && value === '') return;
  const field = fields.get(key);
  if (field !== undefined) checkValue(field, value);
  else if (hasSchema) {
    const keys = [...fields.keys()].map((name) => JSON.stringify(name)).join(', ');
    throw new DomainError('invalid_input', `The plugin has no such field. Its fields: ${keys}.`, {
      attr: key,
    });
  }
}

/** An empty text clears a secret, so the field is missing then. */
function checkRequired({ key, required }: ConfigField, given: Values, isSecret: boolean): void {
  if (required !== true) return;
  const value = given.get(key);
  if (value === undefined || (isSecret && value === '')) {
    throw new DomainError('required', 'This field is required.', { attr: key });
  }
  if (value === '') throw new DomainError('blank', 'This field may not be blank.', { attr: key });
}

/**
 * Runs all checks.
 * @throws DomainError the first error, with all of them up to the limits, so that a form can show each at its field
 */
function throwAll(checks: readonly (() => void)[]): void {
  const errors: DomainError[] = [];
  let characters = 0;
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors.push(error);
      characters += error.message.length;
      if (errors.length === ERRORS_MAX || characters > ERRORS_MAX_CHARACTERS) break;
    }
  }
  const [first] = errors;
  if (first === undefined) return;
  const { code, message, attr } = first;
  throw new DomainError(code, message, { ...(attr !== null && { attr }), errors });
}

function checkSize(config: string): void {
  if (utf8Length(config) > CONFIGURATION_MAX_BYTES) {
    throw new DomainError(
      'too_large',
      `A configuration takes no more than ${CONFIGURATION_MAX_BYTES} bytes of compact JSON.`,
    );
  }
}

/** What is too much already may become less. */
function checkSecretsSize(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
  const size = sizeOf(after);
  if (size > SECRETS_MAX && size > sizeOf(before)) {
    throw new DomainError(
      'too_large',
      `The secrets of a configuration take no more than ${SECRETS_MAX} characters, encrypted.`,
    );
  }
}

function sizeOf(secrets: ReadonlyMap<string, string>): number {
  let size = 0;
  for (const sealed of secrets.values()) size += sealed.length;
  return size;
}

function describe(
  before: Values,
  after: Values,
  { replaced, others }: { readonly replaced: ReadonlySet<string>; readonly others: readonly FieldChange[] },
): ActivityChanges {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const changed = keys.filter((key) => replaced.has(key) || !isSame(before.get(key), after.get(key)));
  const changes = changed.map((key) => () => ({
    field: CONFIG_FIELD + key,
    before: shortened(before.get(key)),
    after: shortened(after.get(key)),
  }));
  return boundChanges([...others.map((change) => () => change), ...changes], (change) => change());
}

function isSame(before: Json | undefined, after: Json | undefined): boolean {
  return (
    before === after ||
    (isNested(before) && isNested(after) && JSON.stringify(before) === JSON.stringify(after))
  );
}

function isNested(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

/** Cuts long values, so that the history does not become a second store of configurations. */
export function shortened(value: Json = null): Json {
  const text = JSON.stringify(value);
  if (text.length <= VALUE_MAX) return value;
  return `${text.slice(0, VALUE_MAX).toWellFormed()}… (${text.length - VALUE_MAX} more characters)`;
}
