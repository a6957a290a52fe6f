import { CONFIG_FIELD, MASK, readValues, type Configuration } from '../configuration/configuration.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import { CONFIGURATION_MAX_BYTES, shortened } from '../configuration/replace-configuration.ts';
import type { SecretBox } from '../configuration/secret-box.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { parseExactly } from '../kernel/exact-json.ts';
import { checkJson, checkNumbers, type Json, type JsonObject } from '../kernel/json.ts';
import type { PlannedField, SecretState } from './plan.ts';

/** The values of secrets by the names that a declaration refers to. */
export type SecretValues = ReadonlyMap<string, string>;

interface Comparison {
  /** With every secret sealed. */
  readonly stored: Configuration;
  readonly schema: readonly ConfigField[];
  readonly declared: JsonObject;
  readonly secrets: SecretValues;
  readonly box: SecretBox;
}

/** What a declaration changes of a stored configuration. */
export interface ConfigurationPlan {
  /** Only what changes, beside the state of each secret that the declaration mentions. */
  readonly fields: readonly PlannedField[];
  /** The whole new configuration, as a caller would send it; null if nothing changes. */
  readonly newConfig: JsonObject | null;
  /** The entries that refer to a secret without a value, while none is stored. */
  readonly missing: readonly string[];
}

/** Compares the declared entries with the stored ones. An entry that is absent counts as the default of the schema. */
export function planConfiguration({ stored, schema, declared, secrets, box }: Comparison): ConfigurationPlan {
  checkJson(declared, 'config', CONFIGURATION_MAX_BYTES);
  const values = new Map(readValues(stored.config));
  const fieldOf = new Map(schema.map((field) => [field.key, field]));
  const fields: PlannedField[] = [];
  const missing: string[] = [];
  let isChanged = false;
  for (const key of Object.keys(declared).toSorted()) {
    const field = fieldOf.get(key);
    const wanted = declaredEntry(key, declared[key] ?? null);
    const sealed = stored.secrets.get(key);
    if (sealed !== undefined || field?.secret === true) {
      const { state, value } = planSecret({ key, wanted, sealed, field, secrets, box });
      if (state === null) continue;
      if (state === 'unknown') missing.push(key);
      if (value !== undefined) values.set(key, value);
      isChanged ||= value !== undefined;
      fields.push({ field: CONFIG_FIELD + key, secret: state });
      continue;
    }
    if (wanted.kind === 'secret') throw refused(key, NO_SECRET);
    const absent = field?.default ?? null;
    const before = values.has(key) ? (values.get(key) ?? null) : absent;
    const after = wanted.kind === 'value' ? wanted.value : absent;
    checkNumbers(after, key);
    if (canonicalJson(before) === canonicalJson(after)) continue;
    if (wanted.kind === 'value') values.set(key, after);
    else values.delete(key);
    isChanged = true;
    fields.push({ field: CONFIG_FIELD + key, before: shortened(before), after: shortened(after) });
  }
  return { fields, newConfig: isChanged ? Object.fromEntries(values) : null, missing };
}

const NO_SECRET = 'The plugin declares no secret entry of this name, so it takes no reference to a secret.';

interface WantedSecret {
  readonly key: string;
  readonly wanted: DeclaredEntry;
  readonly sealed: string | undefined;
  readonly field: ConfigField | undefined;
  readonly secrets: SecretValues;
  readonly box: SecretBox;
}

interface PlannedSecret {
  /** Null if there is nothing to tell. */
  readonly state: SecretState | null;
  /** The new value; an empty text clears it. Absent if it stays. */
  readonly value?: Json;
}

function planSecret({ key, wanted, sealed, field, secrets, box }: WantedSecret): PlannedSecret {
  if (wanted.kind === 'value') {
    throw refused(key, 'This entry is a secret: write { "$secret": NAME }, and send the value apart.');
  }
  const isStored = sealed !== undefined;
  if (wanted.kind === 'clear') return isStored ? { state: 'cleared', value: '' } : { state: null };
  const text = secrets.get(wanted.name);
  if (text === undefined) return { state: isStored ? 'unchanged' : 'unknown' };
  const value = valueOf(text, field, key);
  if (!isStored) return { state: 'set', value };
  const isSame = canonicalJson(parseJson(box.open(sealed))) === canonicalJson(value);
  return isSame ? { state: 'unchanged' } : { state: 'changed', value };
}

const parseJson: (text: string) => Json = JSON.parse;

/** The value of a secret: its text, or what the text says as JSON if the entry takes no text. */
function valueOf(text: string, field: ConfigField | undefined, key: string): Json {
  const isText = field === undefined || field.type === 'string' || field.type === 'choice';
  const value = isText ? text : parsedSecret(text, field.type, key);
  if (value === '' || value === MASK) throw refused(key, 'The value of its secret is empty or a mask.');
  return value;
}

function parsedSecret(text: string, type: ConfigField['type'], key: string): Json {
  if (text === '') return text;
  try {
    parseJson(text);
    // A number that stands alone is not looked at.
    const list = parseExactly(`[${text}]`) as readonly [Json];
    checkJson(list[0], key);
    checkNumbers(list, key);
    return list[0];
  } catch {
    // Never the cause: its message shows a part of the secret.
    throw refused(
      key,
      `The value of its secret is not a ${type} as JSON, is nested too deeply, or has a number of too many digits.`,
    );
  }
}

type DeclaredEntry =
  | { readonly kind: 'clear' }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'secret'; readonly name: string };

const REFERENCE = '$secret';
const LITERAL = '$literal';
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;

function declaredEntry(key: string, given: Json): DeclaredEntry {
  if (given === null) return { kind: 'clear' };
  if (!isObject(given)) return { kind: 'value', value: withoutReference(key, given) };
  const { [REFERENCE]: name, [LITERAL]: literal } = given;
  const isAlone = Object.keys(given).length === 1;
  if (name !== undefined) {
    if (isAlone && typeof name === 'string' && NAME.test(name)) return { kind: 'secret', name };
    throw refused(
      key,
      'A reference is { "$secret": NAME }, with letters, digits and _ in the name, and nothing else.',
    );
  }
  if (literal === undefined) return { kind: 'value', value: withoutReference(key, given) };
  if (isAlone) return { kind: 'value', value: literal };
  throw refused(key, 'A literal is { "$literal": value }, and nothing else.');
}

/** The value, if no part of it looks like a reference, which would be stored as it is. */
function withoutReference(key: string, value: Json): Json {
  if (hasReference(value)) {
    throw refused(
      key,
      'A reference to a secret stands for a whole entry; write { "$literal": value } to store it as it is.',
    );
  }
  return value;
}

function hasReference(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasReference);
  return Object.entries(value).some(([name, child]) => name === REFERENCE || hasReference(child));
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as a declaration says it: escaped if it would be read in another way. */
export function declaredValue(value: Json): Json {
  const isPlain = value !== null && !hasReference(value) && !(isObject(value) && LITERAL in value);
  return isPlain ? value : { [LITERAL]: value };
}

export function referenceTo(name: string): JsonObject {
  return { [REFERENCE]: name };
}

function refused(key: string, message: string): DomainError {
  return new DomainError('invalid_input', message, { attr: key });
}
