import { expect } from 'vitest';
import type { JsonObject } from '../kernel/json.ts';
import type { ConfigField } from './config-field.ts';
import { backwardsBox } from './backwards-box.fixture.ts';
import type { Configured } from './configuration.ts';
import { replaceConfiguration } from './replace-configuration.ts';

export const HOST: ConfigField = { key: 'host', type: 'string' };
export const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
export const LIMIT = 256 * 1024;
export const BOX = backwardsBox();

interface Stored {
  readonly config?: string;
  readonly secrets?: readonly (readonly [string, string])[];
  readonly schema?: readonly ConfigField[];
}

export function storedOf({ config = '{}', secrets = [], schema }: Stored): Configured {
  return { record: { config }, secrets: new Map(secrets), ...storedPlugin(schema) };
}

export function storedPlugin(configSchema?: readonly ConfigField[]): Pick<Configured, 'plugin'> {
  return { plugin: configSchema === undefined ? null : { configSchema } };
}

export function replace(stored: Configured, newConfig: JsonObject): ReturnType<typeof replaceConfiguration> {
  return replaceConfiguration(stored, newConfig, BOX);
}

export function opened(secrets: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...secrets].map(([key, sealed]) => [key, BOX.open(sealed)]);
}

export function parsed(text: string): JsonObject {
  const parse: (json: string) => JsonObject = JSON.parse;
  return parse(text);
}

export function refusal(code: string, attr: string | null): unknown {
  return expect.objectContaining({ name: 'DomainError', code, attr });
}
