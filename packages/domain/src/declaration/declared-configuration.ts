import type { FieldChange } from '../activity/activity-entry.ts';
import { CONFIG_FIELD, isSecret, MASK, readValues, type Configured } from '../configuration/configuration.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import {
  checkConfiguration,
  migratedReplacement,
  patchedConfiguration,
  replaceConfiguration,
  shortened,
  type Replacement,
} from '../configuration/replace-configuration.ts';
import { checkReference, isReference } from '../configuration/reference.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isSameText } from '../kernel/text.ts';
import { invalidInput } from '../kernel/domain-error.ts';
import { parseExactly } from '../kernel/exact-json.ts';
import { checkJson, checkNumbers, isObject, type Json, type JsonObject } from '../kernel/json.ts';
import type { PlannedField } from './plan.ts';
import { mustBeValid, type RecordFields } from '../record/config-record.ts';
import { CONFIGURATION_MAX_BYTES, SECRET_NAME } from '../vocabulary/vocabulary.ts';

/** Secret values by the names that a declaration refers to. */
export type SecretValues = ReadonlyMap<string, string>;

/** The version that a record follows after a plan, compared with before. */
export type FollowedVersion = 'same' | 'other_version' | 'other_schema';

interface Declared {
  readonly stored: Configured;
  readonly secrets: SecretValues;
  /** Whether entries may hold secrets in plain text. */
  readonly mayHoldSecrets: boolean;
  /** Null for a new record. */
  readonly before: RecordFields | null;
  readonly after: Pick<RecordFields, 'plugin' | 'enabled'>;
  /** Whether the record follows another version, even if its configuration stays the same. */
  readonly follows: FollowedVersion;
  /**
   * The changes to the other fields if the configuration changes, for the history; none for a new record, whose entry has all
   * its fields.
   */
  readonly others: readonly FieldChange[];
}

export interface ConfigurationPlan {
  /** The changed fields, and the state of every secret that the declaration mentions. */
  readonly fields: readonly PlannedField[];
  /** Null if nothing changes. */
  readonly configuration: Replacement | null;
  /** The entries that refer to a secret for which no value was sent or stored. */
  readonly missing: readonly string[];
}

/**
 * Compares the declared entries with the stored entries; others are kept. An absent entry has the schema's default.
 * @throws DomainError if a declared entry is invalid, or any entry of a record that is enabled or configured
 */
export function planConfiguration(
  declared: JsonObject = {},
  { stored, secrets, mayHoldSecrets, before, after, follows, others }: Declared,
): ConfigurationPlan {
  checkJson(declared, 'config', CONFIGURATION_MAX_BYTES);
  const { defaults, secretNames, plugin } = stored;
  const current = readValues(stored.values);
  const fieldOf = new Map(plugin?.configSchema?.map((field) => [field.key, field]));
  const fields: PlannedField[] = [];
  const changed: [string, Json][] = [];
  const missing: string[] = [];
  for (const key of Object.keys(declared).toSorted()) {
    const given = declared[key] ?? null;
    const entry = {
      key,
      given,
      absent: defaults.get(key) ?? null,
      field: fieldOf.get(key),
      secrets,
      mayHoldSecrets,
    };
    const changeOf = secretNames.has(key) ? secretChange : plainChange;
    const change = changeOf(entry, current.get(key));
    if (change === null) continue;
    const { value, ...shown } = change;
    fields.push({ field: CONFIG_FIELD + key, ...shown });
    if (shown.secret === 'unknown') missing.push(key);
    if (value !== undefined) changed.push([key, value]);
  }
  // An apply rejects what has no value. A plan still checks the other entries.
  const configured = { ...stored, plugin: withoutFields(plugin, missing) };
  // A revision has one schema version.
  const unchanged = follows === 'other_schema' ? migratedReplacement(stored, current, others) : null;
  const configuration =
    changed.length === 0
      ? unchanged
      : replaceConfiguration(configured, patchedConfiguration(stored, Object.fromEntries(changed)), {
          others,
          isKept: (key) => !Object.hasOwn(declared, key),
        });
  if (mustBeValid(before, after, configuration !== null || follows !== 'same'))
    checkConfiguration({ ...configured, values: configuration?.values ?? stored.values });
  return { fields, configuration, missing };
}

function withoutFields(plugin: Configured['plugin'], keys: readonly string[]): Configured['plugin'] {
  if (plugin?.configSchema === undefined || keys.length === 0) return plugin;
  return { configSchema: plugin.configSchema.filter(({ key }) => !keys.includes(key)) };
}

interface DeclaredEntry {
  readonly key: string;
  /** Null clears the entry. */
  readonly given: Json;
  /** The value of an absent entry: the default, or null. */
  readonly absent: Json;
  readonly field: ConfigField | undefined;
  readonly secrets: SecretValues;
  readonly mayHoldSecrets: boolean;
}

/** The planned change to an entry, and the value to store; absent to keep the entry, null to remove it. */
type EntryChange = Omit<PlannedField, 'field'> & { readonly value?: Json };

function plainChange({ key, given, absent }: DeclaredEntry, stored: Json | undefined): EntryChange | null {
  if (secretNamed(key, given) !== null) throw invalidInput(key, NO_SECRET);
  if (isSameJson(stored ?? null, given)) return null;
  const [before, after] = [stored ?? absent, given ?? absent];
  // Setting the default shows, too: a later default then has no effect.
  const isSet = isSameJson(before, after);
  return {
    before: shortened(isSet ? stored : before),
    after: shortened(isSet ? given : after),
    value: given,
  };
}

const NO_SECRET = 'The plugin has no secret field of this name, so the entry cannot refer to a secret.';

/**
 * Returns null for an entry that keeps its reference or stays absent. Ignores the default, so a plan cannot confirm a
 * guess at it. The value of an entry that runtimes may write is only an initial one.
 */
function secretChange(entry: DeclaredEntry, stored: Json = ''): EntryChange | null {
  const { given } = entry;
  const before = stored === '' ? null : stored;
  const after = given === null ? null : declaredSecret(entry, given);
  if (after === undefined) return { secret: isSecret(before) ? 'unchanged' : 'unknown' };
  if (entry.field?.runtimeWritable === true && isSecret(before) && after !== null)
    return { secret: 'unchanged' };
  if (isSecret(after)) {
    const isEqual = isSameText(canonicalJson(before), canonicalJson(after));
    return isEqual ? { secret: 'unchanged' } : { secret: isSecret(before) ? 'changed' : 'set', value: after };
  }
  if (after === null && isSecret(before)) return { secret: 'cleared', value: null };
  const shown = { before: isSecret(before) ? MASK : before, after };
  return isSameJson(shown.before, shown.after) ? null : { ...shown, value: after };
}

/** Returns the declared value of a secret or its reference; undefined if the value was not sent. */
function declaredSecret(
  { key, field, secrets, mayHoldSecrets }: DeclaredEntry,
  given: Json,
): Json | undefined {
  const name = secretNamed(key, given);
  if (name !== null) {
    const text = secrets.get(name);
    return text === undefined ? undefined : valueOf(text, field, key);
  }
  checkReference(key, given);
  if (isReference(given)) return given;
  if (mayHoldSecrets) return given === '' ? null : usable(given, key);
  const message =
    'This entry is a secret: write { "$secret": NAME } and send the value separately, or refer to it by { "$ref": URI }.';
  throw invalidInput(key, message);
}

/** Only nested values need canonical JSON, which is slow. */
function isSameJson(before: Json, after: Json): boolean {
  if (typeof before !== 'object' || typeof after !== 'object') return before === after;
  return before === after || canonicalJson(before) === canonicalJson(after);
}

const parseJson: (text: string) => Json = JSON.parse;

/** Returns the value of a secret: its text or, unless the entry is a string, the text parsed as JSON. */
function valueOf(text: string, field: ConfigField | undefined, key: string): Json {
  const isText = field === undefined || field.type === 'string' || field.type === 'choice';
  return usable(isText ? text : parsedSecret(text, field.type, key), key);
}

function usable(value: Json, key: string): Json {
  if (value === null || value === '' || value === MASK)
    throw invalidInput(key, 'The value of the secret is empty or a mask.');
  return value;
}

function parsedSecret(text: string, type: ConfigField['type'], key: string): Json {
  if (text === '') return text;
  try {
    parseJson(text);
    // `checkNumbers` only looks inside objects and lists.
    const list = parseExactly(`[${text}]`) as readonly [Json];
    checkJson(list[0], key);
    checkNumbers(list, key);
    return list[0];
  } catch {
    // Without the cause: its message contains a part of the secret.
    throw invalidInput(
      key,
      `The value of the secret is not a valid JSON ${type}, is nested too deeply, or has a number with too many digits.`,
    );
  }
}

const REFERENCE = '$secret';

/** Returns the name of the secret that an entry refers to; null if it is a value. */
function secretNamed(key: string, given: Json): string | null {
  if (!namesSecret(given)) return null;
  const [[name, value] = [], ...others] = isObject(given) ? Object.entries(given) : [];
  if (name === REFERENCE && typeof value === 'string' && others.length === 0 && SECRET_NAME.test(value))
    return value;
  throw invalidInput(
    key,
    'A reference is a whole entry, { "$secret": NAME } without other keys, and the name has only letters, digits and _.',
  );
}

/** Whether part of a value looks like a reference, so a document cannot contain it as a value. */
export function namesSecret(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(namesSecret);
  return Object.entries(value).some(([name, child]) => name === REFERENCE || namesSecret(child));
}

export function referenceTo(name: string): JsonObject {
  return { [REFERENCE]: name };
}
