import type { Json, JsonObject } from '../kernel/json.ts';
import type { ConfigField } from './config-field.ts';
import { isReference } from './reference.ts';

export const MASK = '********';
/** The prefix of configuration fields in the activity. */
export const CONFIG_FIELD = 'config.';

/** The names of the entries whose values are secret. */
export type SecretNames = ReadonlySet<string>;

/** The values of a configuration by their key. */
export type Values = ReadonlyMap<string, Json>;

/** A stored configuration with its values, and what its rules depend on. */
export interface Configured {
  /** JSON text with the values of secrets. */
  readonly values: string;
  readonly secretNames: SecretNames;
  /** Null if the plugin is not registered. */
  readonly plugin: { readonly configSchema?: readonly ConfigField[] | undefined } | null;
}

const parse: (config: string) => JsonObject = JSON.parse;

/** The configuration of a new record, with the values of secrets: the defaults of the schema. */
export function defaultValues(schema: readonly ConfigField[], secretDefaults: Values): string {
  const defaults = schema.flatMap(({ key, default: plain }) => {
    const value = secretDefaults.get(key) ?? plain;
    return value == null ? [] : [[key, value] as const];
  });
  return writeValues(new Map(defaults));
}

/** Masks the secrets of a configuration. Returns the same text if it shows none. */
export function maskConfiguration(config: string, secretNames: SecretNames): string {
  if (secretNames.size === 0) return config;
  const values = readValues(config);
  const shown = maskValues(values, secretNames);
  return shown === values ? config : writeValues(shown);
}

/** Masks the secrets among values. Returns the same values if there is none. */
export function maskValues(values: Values, secretNames: SecretNames): Values {
  const isShown = ([key, value]: readonly [string, Json]): boolean =>
    !secretNames.has(key) || !isSecret(value);
  const entries = [...values];
  if (entries.every(isShown)) return values;
  return new Map(entries.map((entry) => (isShown(entry) ? entry : [entry[0], MASK])));
}

/** Whether the value of an entry whose name is secret is one: neither empty nor a reference, and not masked yet. */
export function isSecret(value: Json): boolean {
  return value !== null && value !== '' && value !== MASK && !isReference(value);
}

/** The values that the plugin's schema lets a browser see, of a configuration as it is shown. */
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

/** Writes entry by entry: an object of ten thousand keys would take three times as long. */
export function writeValues(values: Values): string {
  const entries = Array.from(values, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${entries.join(',')}}`;
}
