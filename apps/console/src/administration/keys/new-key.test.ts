import type { OwnApiKey } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { newKeyOf, scopesToGive } from './new-key.ts';

const FORM = { label: ' colleague ', scopes: ['plugin:read'], projects: '', expires: '' } as const;

test('a form without projects and time asks for those of the signed-in key', () => {
  expect(newKeyOf(FORM)).toEqual({ label: 'colleague', scopes: ['plugin:read'] });
});

test('projects are ids between commas or spaces', () => {
  expect(newKeyOf({ ...FORM, projects: ' 3, 14 15,' })).toMatchObject({ project_ids: [3, 14, 15] });
  expect(newKeyOf({ ...FORM, projects: '3, shop' })).toBe('"shop" is no id of a project.');
  expect(newKeyOf({ ...FORM, projects: '0' })).toBe('"0" is no id of a project.');
});

test('the time is that of the reader, sent in UTC', () => {
  const expires = '2030-01-02T03:04';
  expect(newKeyOf({ ...FORM, expires })).toMatchObject({ expires_at: new Date(expires).toISOString() });
});

test('a key may do something', () => {
  expect(newKeyOf({ ...FORM, scopes: [] })).toBe('Choose what the key may do.');
});

test('a key gives only what it has', () => {
  const key = { scopes: ['key:write', 'plugin:read'] } as unknown as OwnApiKey;
  expect(scopesToGive(key)).toEqual(['plugin:read', 'key:write']);
  expect(scopesToGive({ ...key, scopes: ['*'] })).toContain('plugin_registry:write');
});
