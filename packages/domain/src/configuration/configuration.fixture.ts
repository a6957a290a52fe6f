import { expect } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { ConfigField } from '../plugin/config-field.ts';
import { backwardsBox } from './backwards-box.fixture.ts';
import { aConfigRecord } from '../record/config-record.fixture.ts';
import { replaceConfiguration, type StoredConfiguration } from './configuration.ts';

export const HOST: ConfigField = { key: 'host', type: 'string' };
export const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
export const LIMIT = 256 * 1024;
export const BOX = backwardsBox();

interface Given {
  readonly config?: string;
  readonly secrets?: readonly (readonly [string, string])[];
  readonly schema?: readonly ConfigField[];
}

export function storedOf({ config = '{}', secrets = [], schema }: Given): StoredConfiguration {
  return { record: aConfigRecord({ config }), secrets: new Map(secrets), ...storedPlugin(schema) };
}

export function storedPlugin(
  configSchema?: readonly ConfigField[],
): Pick<StoredConfiguration, 'plugin' | 'pluginRevision'> {
  if (configSchema === undefined) return { plugin: null, pluginRevision: null };
  return { plugin: { id: 7, name: 'Plugin', configSchema }, pluginRevision: 1 };
}

export function replace(
  stored: StoredConfiguration,
  asked: JsonObject,
): ReturnType<typeof replaceConfiguration> {
  return replaceConfiguration(stored, asked, BOX);
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
