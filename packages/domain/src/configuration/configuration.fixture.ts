import { expect } from 'vitest';
import { invalidInput } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import type { ConfigField } from './config-field.ts';
import { defaultsOf, type Configured, type Values } from './configuration.ts';
import { replaceConfiguration } from './replace-configuration.ts';

export const HOST: ConfigField = { key: 'host', type: 'string' };
export const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
export const LIMIT = 256 * 1024;

/** Judges values by the `type` of a schema alone. An error is at their `port`. Patterns take the time they take. */
export const TYPE_SCHEMAS: JsonSchemas = {
  check({ type }, { attr, subject }) {
    if (typeof type !== 'string') throw invalidInput(attr, `${subject} has no type.`);
  },
  errors: ({ type }, value, prefix) =>
    typeof value === type ? [] : [invalidInput(`${prefix}.port`, `This must be ${JSON.stringify(type)}.`)],
  pattern(source) {
    const expression = new RegExp(`^(?:${source})$`, 'su');
    return {
      groups: [...source.matchAll(/\(\?<(\w+)>/g)].map(([, name = '']) => name),
      split(text) {
        const groups = expression.exec(text)?.groups;
        return groups === undefined ? null : new Map(Object.entries(groups));
      },
    };
  },
};

interface Stored {
  readonly values?: string;
  readonly schema?: readonly ConfigField[];
  /** Names declared secret by other registrations. */
  readonly secretNames?: readonly string[];
  readonly secretDefaults?: Values;
}

/** Returns a stored configuration. The fields that its schema declares secret are secret. */
export function storedOf({
  values = '{}',
  schema,
  secretNames = [],
  secretDefaults = new Map(),
}: Stored): Configured {
  const declared = (schema ?? []).flatMap(({ key, secret }) => (secret === true ? [key] : []));
  return {
    values,
    defaults: defaultsOf(schema ?? [], secretDefaults),
    secretNames: new Set([...secretNames, ...declared]),
    plugin: schema === undefined ? null : { configSchema: schema },
    jsonSchemas: TYPE_SCHEMAS,
  };
}

export function replace(stored: Configured, newConfig: JsonObject): ReturnType<typeof replaceConfiguration> {
  return replaceConfiguration(stored, newConfig);
}

export function parsed(text: string): JsonObject {
  const parse: (json: string) => JsonObject = JSON.parse;
  return parse(text);
}

export function rejection(code: string, attr: string | null): unknown {
  return expect.objectContaining({ name: 'DomainError', code, attr });
}
