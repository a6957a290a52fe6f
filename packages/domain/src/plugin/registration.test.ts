import { expect, test } from 'vitest';
import type { ConfigField } from '../configuration/config-field.ts';
import { mergeSecretNames } from './plugin.ts';

const secret = (key: string): ConfigField => ({ key, type: 'string', secret: true });

test('fields that were once declared secret stay secret', () => {
  const configSchema = [secret('token'), { ...secret('host'), secret: false }];
  expect(mergeSecretNames([], { configSchema })).toEqual(['token']);
  expect(mergeSecretNames(['host', 'token'], { configSchema })).toEqual(['host', 'token']);
  expect(mergeSecretNames(['host'], {})).toEqual(['host']);
});

test('the number of secret names of a plugin is limited across all registrations', () => {
  const known = Array.from({ length: 999 }, (_, i) => `field ${i}`);
  expect(mergeSecretNames(known, { configSchema: [secret('token')] }).length).toBe(1000);
  expect(() => mergeSecretNames(known, { configSchema: [secret('token'), secret('pin')] })).toThrow(
    expect.objectContaining({ code: 'invalid_input', attr: 'config_schema' }),
  );
});
