import type { Json, JsonObject } from '../kernel/json.ts';
import type { ConfigField } from './config-field.ts';
import type { SecretBox } from './secret-box.ts';

export const MASK = '********';
/** The prefix of configuration fields in the activity. */
export const CONFIG_FIELD = 'config.';

/** Sealed values by their key. */
export type SealedSecrets = ReadonlyMap<string, string>;

/** A stored configuration: the JSON text with masked secrets, and the sealed secrets. */
export interface Configuration {
  readonly config: string;
  readonly secrets: SealedSecrets;
}

/** The stored values that the rules of a configuration depend on. */
export interface Configured {
  readonly record: Pick<Configuration, 'config'>;
  readonly secrets: SealedSecrets;
  /** Null if the plugin is not registered. */
  readonly plugin: { readonly configSchema?: readonly ConfigField[] | undefined } | null;
}

/** The values of a configuration by their key. */
export type Values = ReadonlyMap<string, Json>;

const parse: (config: string) => JsonObject = JSON.parse;

/** The configuration of a new record: the defaults of the schema. */
export function seedConfiguration(schema: readonly ConfigField[], box: SecretBox): Configuration {
  const defaults = schema.flatMap(({ key, default: value }) =>
    value == null ? [] : [[key, value] as const],
  );
  return conceal({ config: writeValues(new Map(defaults)), secrets: new Map() }, schema, box);
}

/** Seals the values of secret fields that are still plain text. */
export function conceal(
  stored: Configuration,
  schema: readonly ConfigField[],
  box: SecretBox,
): Configuration {
  if (!schema.some(({ secret }) => secret === true)) return stored;
  const values = new Map(readValues(stored.config));
  const secrets = new Map(stored.secrets);
  for (const { key, secret } of schema) {
    const value = values.get(key);
    if (secret !== true || value == null || value === '' || secrets.has(key)) continue;
    secrets.set(key, box.seal(JSON.stringify(value)));
    values.set(key, MASK);
  }
  return secrets.size === stored.secrets.size ? stored : { config: writeValues(values), secrets };
}

/** Masks the values of these keys. Returns the same text if it shows none. */
export function maskConfiguration(config: string, keys: ReadonlySet<string>): string {
  if (keys.size === 0) return config;
  const values = readValues(config);
  const shown = new Set([...keys].filter((key) => isShown(values.get(key) ?? null)));
  if (shown.size === 0) return config;
  return writeValues(new Map([...values].map(([key, value]) => [key, shown.has(key) ? MASK : value])));
}

/** Whether a value of a secret field shows a secret. An empty text is none: it is stored as it is, and clears a secret. */
export function isShown(value: Json): boolean {
  return value !== null && value !== '' && value !== MASK;
}

/** The values that the plugin's schema lets a browser see. */
export function browserConfiguration({ record, secrets, plugin }: Configured): string {
  const site = plugin?.configSchema?.filter((field) => field.site === true && field.secret !== true);
  const visible = new Set(site?.map(({ key }) => key));
  return writeValues(
    new Map([...readValues(record.config)].filter(([key]) => visible.has(key) && !secrets.has(key))),
  );
}

/** The whole configuration with decrypted secrets, for the handler of the plugin. */
export function openConfiguration(
  { record, secrets }: Pick<Configured, 'record' | 'secrets'>,
  box: SecretBox,
): JsonObject {
  const opened = [...secrets].map(([key, sealed]) => [key, JSON.parse(box.open(sealed))] as const);
  return Object.fromEntries([...readValues(record.config), ...opened]);
}

export function readValues(config: string): Values {
  return new Map(Object.entries(parse(config)));
}

export function writeValues(values: Values): string {
  return JSON.stringify(Object.fromEntries(values));
}
