import type { FieldChange } from '../activity/activity-entry.ts';
import { boundChanges, type ActivityChanges } from '../activity/bound-changes.ts';
import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkJson, checkNumbers, type Json, type JsonObject } from '../kernel/json.ts';
import { utf8Length } from '../kernel/text.ts';
import { checkValue, type ConfigField } from './config-field.ts';
import {
  CONFIG_FIELD,
  isSecret,
  MASK,
  maskValues,
  readValues,
  writeValues,
  type Configured,
  type Values,
} from './configuration.ts';
import { checkReference, isReference } from './reference.ts';
import { rejectEach } from './reject-each.ts';
import { CONFIGURATION_MAX_BYTES } from '../vocabulary/vocabulary.ts';

const VALUE_MAX = 1000;

interface ReplaceOptions {
  readonly others?: readonly FieldChange[];
  readonly isKept?: (key: string) => boolean;
}

export interface Replacement extends ActivityChanges {
  /** The new configuration as JSON text, including secret values. */
  readonly values: string;
  /** Whether the values equal the stored values. Sending the same secret again still counts as a change. */
  readonly isSame: boolean;
  /** The new configuration without defaults, masked. */
  readonly config: string;
  /** The replaced configuration, masked. */
  readonly replaced: string;
}

/**
 * Replaces the configuration and describes the changes without secrets, after `others`. Entries for which `isKept` is
 * true come from the store, and are not validated.
 *
 * A secret entry is kept if it is absent or masked, and removed by an empty string. Sending a secret always counts as
 * a change, even if it equals the stored one, so nobody can confirm a guess.
 */
export function replaceConfiguration(
  { values: stored, defaults, secretNames, plugin, jsonSchemas }: Configured,
  newConfig: JsonObject,
  { others = [], isKept = () => false }: ReplaceOptions = {},
): Replacement {
  const schema = plugin?.configSchema;
  checkJson(newConfig, 'config', CONFIGURATION_MAX_BYTES);
  checkSize(JSON.stringify(newConfig));
  const current = readValues(stored);
  const fields = new Map(schema?.map((field) => [field.key, field]));
  const isSecretName = (key: string): boolean => secretNames.has(key);
  const kept = [...current].filter(([key, value]) => isSecretName(key) && value !== '');
  const keptKeys = new Set(kept.map(([key]) => key));
  const sent = Object.entries(newConfig);
  const entries = sent.filter(([key, value]) => !(isSecretName(key) && value === MASK));
  const given = new Map(entries);
  rejectEach([
    ...sent.map(
      ([key, value]) =>
        () =>
          checkNumbers(value, key),
    ),
    ...entries.map(([key, value]) => () => {
      if (isKept(key)) return;
      if (isSecretName(key)) checkReference(key, value);
      checkAgainstSchema(key, value, {
        hasSchema: schema !== undefined,
        fields,
        isNamedSecret: isSecretName(key),
        jsonSchemas,
      });
    }),
    ...(schema ?? []).map((field) => () => {
      const stays = keptKeys.has(field.key) && !given.has(field.key);
      if (!stays) checkRequired(field, given, { isNamedSecret: isSecretName(field.key), defaults });
    }),
  ]);

  const secrets = new Map(kept);
  const replaced = new Set<string>();
  for (const [key, value] of entries.filter(([name]) => isSecretName(name))) {
    if (value === '') secrets.delete(key);
    else secrets.set(key, value);
    if (isSecret(value)) replaced.add(key);
  }
  const next = new Map([...entries.filter(([key]) => !isSecretName(key)), ...secrets]);
  const replacement = replacementOf(stored, current, next, { secretNames, replaced, others });
  checkSize(replacement.values);
  return replacement;
}

/** Replaces the configuration with migrated values, which are not checked. Describes the changes after `others`. */
export function migratedReplacement(
  { values: stored, secretNames }: Pick<Configured, 'values' | 'secretNames'>,
  next: Values,
  others: readonly FieldChange[],
): Replacement {
  return replacementOf(stored, readValues(stored), next, { secretNames, replaced: new Set(), others });
}

function replacementOf(
  stored: string,
  current: Values,
  next: Values,
  { secretNames, ...options }: Pick<Configured, 'secretNames'> & Parameters<typeof describe>[2],
): Replacement {
  const values = writeValues(next);
  const [before, after] = [maskValues(current, secretNames), maskValues(next, secretNames)];
  return {
    values,
    isSame: hasSameValues(current, next),
    config: after === next ? values : writeValues(after),
    replaced: before === current ? stored : writeValues(before),
    ...describe(before, after, options),
  };
}

/** Rejects a configuration that is too large to be stored. */
export function checkConfigurationSize(values: Values): void {
  checkJson(Object.fromEntries(values), 'config', CONFIGURATION_MAX_BYTES);
  checkSize(writeValues(values));
}

/**
 * Rejects a stored configuration that the schema of its plugin does not accept. Secrets without a field, such as a former
 * plugin's, are ignored.
 * @throws DomainError the first error, with all errors
 */
export function checkConfiguration(configured: Configured): void {
  rejectEach(checksOf(configured));
}

/** Whether the schema of its plugin accepts a stored configuration, as `checkConfiguration` decides. */
export function isValidConfiguration(configured: Configured): boolean {
  return checksOf(configured).every((check) => {
    try {
      check();
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
    return true;
  });
}

function checksOf({
  values,
  defaults,
  secretNames,
  plugin,
  jsonSchemas,
}: Configured): readonly (() => void)[] {
  const schema = plugin?.configSchema;
  if (schema === undefined) return [];
  const stored = readValues(values);
  const fields = new Map(schema.map((field) => [field.key, field]));
  const entries = [...stored].filter(([key]) => fields.has(key) || !secretNames.has(key));
  return [
    ...entries.map(
      ([key, value]) =>
        () =>
          checkAgainstSchema(key, value, {
            hasSchema: true,
            fields,
            isNamedSecret: secretNames.has(key),
            jsonSchemas,
          }),
    ),
    ...schema.map(
      (field) => () => checkRequired(field, stored, { isNamedSecret: secretNames.has(field.key), defaults }),
    ),
  ];
}

/** Returns the whole configuration after some entries change, as a caller would send it. Null removes an entry. */
export function patchedConfiguration(
  { values, secretNames }: Pick<Configured, 'values' | 'secretNames'>,
  patch: JsonObject,
): JsonObject {
  const entries = new Map(maskValues(readValues(values), secretNames));
  for (const [key, value] of Object.entries(patch)) {
    if (value !== null) entries.set(key, value);
    else if (secretNames.has(key)) entries.set(key, '');
    else entries.delete(key);
  }
  return Object.fromEntries(entries);
}

function hasSameValues(before: Values, after: Values): boolean {
  return before.size === after.size && [...after].every(([key, value]) => isSame(before.get(key), value));
}

interface SchemaOfValue extends Pick<Configured, 'jsonSchemas'> {
  readonly hasSchema: boolean;
  readonly fields: ReadonlyMap<string, ConfigField>;
  /** Whether the field is secret: then it may be a reference, or an empty string that removes it. */
  readonly isNamedSecret: boolean;
}

function checkAgainstSchema(
  key: string,
  value: Json,
  { hasSchema, fields, isNamedSecret, jsonSchemas }: SchemaOfValue,
): void {
  if (isNamedSecret && value === '') return;
  const isKnown = fields.has(key) || !hasSchema;
  if (isNamedSecret && isKnown && isReference(value)) return;
  const field = fields.get(key);
  if (field !== undefined) checkValue(jsonSchemas, isNamedSecret ? { ...field, secret: true } : field, value);
  else if (hasSchema) {
    const keys = [...fields.keys()].map((name) => JSON.stringify(name)).join(', ');
    throw invalidInput(key, `The plugin has no such field. Its fields: ${keys}.`);
  }
}

interface RequiredContext extends Pick<Configured, 'defaults'> {
  readonly isNamedSecret: boolean;
}

/** An empty string removes a secret. A missing entry has its default. */
function checkRequired(
  { key, required }: ConfigField,
  given: Values,
  { isNamedSecret, defaults }: RequiredContext,
): void {
  if (required !== true) return;
  const value = given.get(key);
  if (value === undefined || (isNamedSecret && value === '')) {
    if (defaults.has(key)) return;
    throw new DomainError('required', 'This field is required.', { attr: key });
  }
  if (value === '') throw new DomainError('blank', 'This field may not be blank.', { attr: key });
}

function checkSize(config: string): void {
  if (utf8Length(config) > CONFIGURATION_MAX_BYTES) {
    throw new DomainError(
      'too_large',
      `A configuration may have no more than ${CONFIGURATION_MAX_BYTES} bytes of compact JSON.`,
    );
  }
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

/** Truncates long values, to keep the history from becoming a second copy of the configurations. */
export function shortened(value: Json = null): Json {
  if (!isNested(value) && typeof value !== 'string') return value;
  const text = JSON.stringify(value);
  if (text.length <= VALUE_MAX) return value;
  return `${text.slice(0, VALUE_MAX).toWellFormed()}… (${text.length - VALUE_MAX} more characters)`;
}
