import type { Json, JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import type { ConfigField } from './config-field.ts';
import { isReference } from './reference.ts';

export const MASK = '********';
/** The prefix of configuration fields in activity entries. */
export const CONFIG_FIELD = 'config.';

export type SecretNames = ReadonlySet<string>;

export type Values = ReadonlyMap<string, Json>;

/** A configuration as stored, without defaults, and what is needed to validate and show it. */
export interface Configured {
  /** JSON text, including secret values. */
  readonly values: string;
  /** The defaults of the plugin's schema, including secrets. They apply to absent entries. */
  readonly defaults: Values;
  readonly secretNames: SecretNames;
  /** Null if the plugin is not registered. */
  readonly plugin: { readonly configSchema?: readonly ConfigField[] | undefined } | null;
  /** Judges the values of fields that have a JSON Schema. */
  readonly jsonSchemas: JsonSchemas;
}

const parse: (config: string) => JsonObject = JSON.parse;

export const NO_VALUES: Values = new Map();

/** Returns the defaults of a schema, including secrets. */
export function defaultsOf(schema: readonly ConfigField[], secretDefaults: Values): Values {
  const defaults = schema.flatMap(({ key, default: plain }) => {
    const value = secretDefaults.get(key) ?? plain;
    return value == null ? [] : [[key, value] as const];
  });
  return new Map(defaults);
}

/** Adds the defaults of absent entries. Returns the same map if there are none. */
export function withDefaults(values: Values, defaults: Values): Values {
  const absent = [...defaults].filter(([key]) => !values.has(key));
  return absent.length === 0 ? values : new Map([...values, ...absent]);
}

/** Returns a stored configuration as shown to callers: with the defaults of absent entries, and with secrets masked. */
export function showConfiguration(
  config: string,
  { secretNames, defaults }: Pick<Configured, 'secretNames' | 'defaults'>,
): string {
  if (secretNames.size === 0 && defaults.size === 0) return config;
  const values = readValues(config);
  const shown = maskValues(withDefaults(values, defaults), secretNames);
  return shown === values ? config : writeValues(shown);
}

/** Masks the secrets among the values. Returns the same map if there are none to mask. */
export function maskValues(values: Values, secretNames: SecretNames): Values {
  const isShown = ([key, value]: readonly [string, Json]): boolean =>
    !secretNames.has(key) || !isSecret(value);
  const entries = [...values];
  if (entries.every(isShown)) return values;
  return new Map(entries.map((entry) => (isShown(entry) ? entry : [entry[0], MASK])));
}

/** Whether the value of a secret entry needs masking: it is not empty, not a reference, and not masked yet. */
export function isSecret(value: Json): boolean {
  return value !== null && value !== '' && value !== MASK && !isReference(value);
}

/** Returns the values of a masked configuration that the plugin's schema lets browsers see. */
export function browserConfiguration(
  config: string,
  { secretNames, plugin }: Pick<Configured, 'secretNames' | 'plugin'>,
): string {
  const site = plugin?.configSchema?.filter((field) => field.site === true);
  const visible = new Set(site?.map(({ key }) => key));
  return writeValues(
    new Map([...readValues(config)].filter(([key]) => visible.has(key) && !secretNames.has(key))),
  );
}

export function readValues(config: string): Values {
  return new Map(Object.entries(parse(config)));
}

export function writeValues(values: Values): string {
  return JSON.stringify(Object.fromEntries(values));
}
