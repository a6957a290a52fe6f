import type { Trust } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { formOf, newForm, trustOf } from './trust-form.ts';

const UNBOUND = { project_ids: null };
const TRUST: Trust = {
  id: 12,
  name: 'Deploy from main',
  issuer: 'https://gitlab.com',
  audience: 'https://plugins.example.com',
  claims: { project_id: ['4711', '7'], ref: ['a = b'] },
  scopes: ['plugin:write'],
  project_ids: [1, 2],
  max_minutes: 15,
  created_at: '2026-03-01T09:30:00.000Z',
  expires_at: null,
  last_used_at: null,
};

test('a trust that is shown in the form and sent again stays as it is', () => {
  const { id: _, created_at: _c, expires_at: _e, last_used_at: _u, ...sent } = TRUST;
  expect(trustOf(formOf(TRUST), UNBOUND)).toEqual(sent);
  expect(trustOf(formOf({ ...TRUST, project_ids: null }), UNBOUND)).toEqual({ ...sent, project_ids: null });
});

test('a new trust needs the values of its claims, and projects', () => {
  const form = newForm('https://plugins.example.com');
  expect(() => trustOf(form, UNBOUND)).toThrow(
    '“repository_id =” is not a claim with its value, such as environment = production.',
  );
  const filled = { ...form, claims: ' repository_id=7 \n\nenvironment = production\r\n' };
  expect(() => trustOf(filled, UNBOUND)).toThrow('Choose the projects of the trust, or all projects.');
  expect(trustOf({ ...filled, isForAll: true }, { project_ids: [3] })).toMatchObject({
    claims: { repository_id: ['7'], environment: ['production'] },
    project_ids: [3],
  });
});
