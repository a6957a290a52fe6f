import type { NewTrust, OwnApiKey, Scope, Trust } from '@plugin-config/client';
import { FolderOpen } from 'lucide-react';
import type { Option } from '../ui/combobox.tsx';
import { grantableScopes } from './new-key.ts';

/** The query key prefix of trusts. */
export const TRUSTS = ['trusts'];

export interface TrustForm {
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  /** One `name = value` per line; a repeated name has several values. */
  readonly claims: string;
  readonly scopes: readonly Scope[];
  /** Whether it is for all projects of the signed-in key. */
  readonly isForAll: boolean;
  readonly projects: readonly Option[];
  readonly minutes: string;
}

/** A trust in GitHub Actions, which most pipelines need. */
export function newForm(audience: string): TrustForm {
  return {
    name: '',
    issuer: 'https://token.actions.githubusercontent.com',
    audience,
    claims: 'repository_id = \nenvironment = production',
    scopes: ['plugin:write'],
    isForAll: false,
    projects: [],
    minutes: '15',
  };
}

export function formOf({ claims, project_ids: ids, max_minutes: minutes, ...trust }: Trust): TrustForm {
  const lines = Object.entries(claims).flatMap(([name, values]) =>
    values.map((value) => `${name} = ${value}`),
  );
  return {
    ...trust,
    claims: lines.join('\n'),
    isForAll: ids === null,
    projects: (ids ?? []).map((id) => ({
      id: String(id),
      icon: FolderOpen,
      title: `Project ${id}`,
      hint: '',
    })),
    minutes: String(minutes),
  };
}

/** Returns the scopes that a trust can have. Tokens cannot issue keys, so `key:write` would have no effect. */
export function scopesOfTrusts(own: OwnApiKey): readonly Scope[] {
  return grantableScopes(own).filter((scope) => scope !== 'key:write');
}

/** Returns the request for a trust, or what is wrong with the form. */
export function trustOf(
  { name, issuer, audience, claims: text, scopes, isForAll, projects, minutes }: TrustForm,
  own: Pick<OwnApiKey, 'project_ids'>,
): NewTrust | string {
  const claims = claimsIn(text);
  if (typeof claims === 'string') return claims;
  if (scopes.length === 0) return 'Select at least one scope.';
  if (!isForAll && projects.length === 0) return 'Choose the projects of the trust, or all projects.';
  return {
    name: name.trim(),
    issuer: issuer.trim(),
    audience: audience.trim(),
    claims,
    scopes: [...scopes],
    project_ids: isForAll ? own.project_ids : projects.map(({ id }) => Number(id)),
    max_minutes: Number(minutes),
  };
}

const LINE = /^([^=\s]+)\s*=\s*(\S.*)$/;

function claimsIn(text: string): Record<string, string[]> | string {
  const claims = new Map<string, string[]>();
  for (const line of text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const [, name = '', value = ''] = LINE.exec(line) ?? [];
    if (name === '') return `“${line}” is not a claim with its value, such as environment = production.`;
    claims.set(name, [...(claims.get(name) ?? []), value]);
  }
  return Object.fromEntries(claims);
}
