import {
  CONFIG_FIELD,
  isSecret,
  MASK,
  maskValues,
  readValues,
  type Configured,
} from '../configuration/configuration.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import { shortened } from '../configuration/replace-configuration.ts';
import { checkReference, isReference } from '../configuration/reference.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isSameText } from '../kernel/text.ts';
import { invalidInput } from '../kernel/domain-error.ts';
import { parseExactly } from '../kernel/exact-json.ts';
import { checkJson, checkNumbers, type Json, type JsonObject } from '../kernel/json.ts';
import type { PlannedField } from './plan.ts';
import { CONFIGURATION_MAX_BYTES } from '../vocabulary/vocabulary.ts';

/** Secret values by the names that a declaration refers to. */
export type SecretValues = ReadonlyMap<string, string>;

interface Comparison {
  readonly stored: Pick<Configured, 'values' | 'defaults' | 'secretNames'>;
  readonly schema: readonly ConfigField[];
  readonly declared: JsonObject;
  readonly secrets: SecretValues;
}

/** How a declaration changes a stored configuration. */
export interface ConfigurationPlan {
  /** The changed fields, and the state of every secret that the declaration mentions. */
  readonly fields: readonly PlannedField[];
  /** The complete new configuration, as a caller would send it; null if nothing changes. */
  readonly newConfig: JsonObject | null;
  /** The entries that refer to a secret for which no value was sent or stored. */
  readonly missing: readonly string[];
}

/** Compares the declared entries with the stored ones. An absent entry has the schema's default. */
export function planConfiguration({ stored, schema, declared, secrets }: Comparison): ConfigurationPlan {
  checkJson(declared, 'config', CONFIGURATION_MAX_BYTES);
  const current = readValues(stored.values);
  // A mask keeps the stored secret.
  const values = new Map(maskValues(current, stored.secretNames));
  const fieldOf = new Map(schema.map((field) => [field.key, field]));
  const fields: PlannedField[] = [];
  const missing: string[] = [];
  let isChanged = false;
  for (const key of Object.keys(declared).toSorted()) {
    const field = fieldOf.get(key);
    const wanted = declaredEntry(key, declared[key] ?? null);
    if (stored.secretNames.has(key)) {
      const absent = stored.defaults.get(key) ?? null;
      const before = current.get(key) ?? absent;
      const after = secretValue({ key, wanted, field, secrets, absent });
      const report = describeSecret(key, before, after);
      if (report !== null) fields.push(report);
      if (report?.secret === 'unknown') missing.push(key);
      if (after === null || report === null || report.secret === 'unchanged') continue;
      values.set(key, wanted.kind === 'clear' ? '' : after);
      isChanged = true;
      continue;
    }
    if (wanted.kind === 'secret') throw invalidInput(key, NO_SECRET);
    const absent = stored.defaults.get(key) ?? null;
    const before = current.has(key) ? (current.get(key) ?? null) : absent;
    const after = wanted.kind === 'value' ? wanted.value : absent;
    checkNumbers(after, key);
    if (isSameJson(before, after)) continue;
    if (wanted.kind === 'value') values.set(key, after);
    else values.delete(key);
    isChanged = true;
    fields.push({ field: CONFIG_FIELD + key, before: shortened(before), after: shortened(after) });
  }
  return { fields, newConfig: isChanged ? Object.fromEntries(values) : null, missing };
}

/** Only nested values need canonical JSON, which is slow. */
function isSameJson(before: Json, after: Json): boolean {
  if (typeof before !== 'object' || typeof after !== 'object') return before === after;
  return before === after || canonicalJson(before) === canonicalJson(after);
}

const NO_SECRET = 'The plugin has no secret field of this name, so the entry cannot refer to a secret.';

interface WantedSecret {
  readonly key: string;
  readonly wanted: DeclaredEntry;
  readonly field: ConfigField | undefined;
  readonly secrets: SecretValues;
  /** The default; null if there is none. */
  readonly absent: Json;
}

/** Returns the new value of a secret entry: an empty string if it has none, or null if no value was sent. */
function secretValue({ key, wanted, field, secrets, absent }: WantedSecret): Json {
  if (wanted.kind === 'clear') return absent ?? '';
  if (wanted.kind === 'secret') {
    const text = secrets.get(wanted.name);
    return text === undefined ? null : valueOf(text, field, key);
  }
  checkReference(key, wanted.value);
  if (isReference(wanted.value)) return wanted.value;
  const message =
    'This entry is a secret: write { "$secret": NAME } and send the value separately, or refer to it by { "$ref": URI }.';
  throw invalidInput(key, message);
}

/** Returns what the plan reports about a secret entry; null if it keeps its reference or stays absent. */
function describeSecret(key: string, before: Json, after: Json): PlannedField | null {
  const field = CONFIG_FIELD + key;
  if (after === null) return { field, secret: isSecret(before) ? 'unchanged' : 'unknown' };
  if (isSecret(after)) {
    const isEqual = isSameText(canonicalJson(before), canonicalJson(after));
    return { field, secret: isEqual ? 'unchanged' : isSecret(before) ? 'changed' : 'set' };
  }
  if (after === '' && isSecret(before)) return { field, secret: 'cleared' };
  const shown = (value: Json): Json => (isSecret(value) ? MASK : value === '' ? null : value);
  const difference = { before: shown(before), after: shown(after) };
  return isSameJson(difference.before, difference.after) ? null : { field, ...difference };
}

const parseJson: (text: string) => Json = JSON.parse;

/** Returns the value of a secret: its text or, unless the entry is a string, the text parsed as JSON. */
function valueOf(text: string, field: ConfigField | undefined, key: string): Json {
  const isText = field === undefined || field.type === 'string' || field.type === 'choice';
  const value = isText ? text : parsedSecret(text, field.type, key);
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

type DeclaredEntry =
  | { readonly kind: 'clear' }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'secret'; readonly name: string };

const REFERENCE = '$secret';
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;

function declaredEntry(key: string, given: Json): DeclaredEntry {
  if (given === null) return { kind: 'clear' };
  if (!namesSecret(given)) return { kind: 'value', value: given };
  const name = isObject(given) ? given[REFERENCE] : undefined;
  if (isObject(given) && Object.keys(given).length === 1 && typeof name === 'string' && NAME.test(name))
    return { kind: 'secret', name };
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

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function referenceTo(name: string): JsonObject {
  return { [REFERENCE]: name };
}
