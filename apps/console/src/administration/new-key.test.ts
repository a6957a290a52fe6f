import type { OwnApiKey } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { newKeyOf, grantableScopes } from './new-key.ts';

const FORM = { label: ' colleague ', scopes: ['plugin:read'], projects: '', expires: '' } as const;

test('without projects and expiry, a key gets those of the signed-in key', () => {
  expect(newKeyOf(FORM)).toEqual({ label: 'colleague', scopes: ['plugin:read'] });
});

test('projects are ids separated by commas or spaces', () => {
  expect(newKeyOf({ ...FORM, projects: ' 3, 14 15,' })).toMatchObject({ project_ids: [3, 14, 15] });
  expect(newKeyOf({ ...FORM, projects: '3, shop' })).toBe('"shop" is not a project ID.');
  expect(newKeyOf({ ...FORM, projects: '0' })).toBe('"0" is not a project ID.');
});

test('the expiry is entered in local time and sent in UTC', () => {
  const expires = '2030-01-02T03:04';
  expect(newKeyOf({ ...FORM, expires })).toMatchObject({ expires_at: new Date(expires).toISOString() });
});

test('a key needs at least one scope', () => {
  expect(newKeyOf({ ...FORM, scopes: [] })).toBe('Select at least one scope.');
});

test('a key can only grant the scopes it has', () => {
  const key = { scopes: ['key:write', 'plugin:read'] } as unknown as OwnApiKey;
  expect(grantableScopes(key)).toEqual(['plugin:read', 'key:write']);
  expect(grantableScopes({ ...key, scopes: ['*'] })).toContain('plugin_registry:write');
});
