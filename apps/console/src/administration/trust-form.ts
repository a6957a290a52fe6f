import type { NewTrust, OwnApiKey, Scope, Trust } from '@plugin-config/client';
import { FolderOpen } from 'lucide-react';
import { grantableScopes, rightsOf, type RightsForm } from './new-key.ts';

/** The query key prefix of trusts. */
export const TRUSTS = ['trusts'];

export interface TrustForm extends RightsForm {
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  /** One `name = value` per line; a repeated name has several values. */
  readonly claims: string;
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

/** Returns the request for a trust. @throws Error if something is missing */
export function trustOf(form: TrustForm, own: Pick<OwnApiKey, 'project_ids'>): NewTrust {
  const { name, issuer, audience, claims, minutes } = form;
  return {
    name: name.trim(),
    issuer: issuer.trim(),
    audience: audience.trim(),
    claims: claimsIn(claims),
    ...rightsOf(form, own, 'trust'),
    max_minutes: Number(minutes),
  };
}

const LINE = /^([^=\s]+)\s*=\s*(\S.*)$/;

function claimsIn(text: string): Record<string, string[]> {
  const claims = new Map<string, string[]>();
  for (const line of text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const [, name = '', value = ''] = LINE.exec(line) ?? [];
    if (name === '')
      throw new Error(`“${line}” is not a claim with its value, such as environment = production.`);
    claims.set(name, [...(claims.get(name) ?? []), value]);
  }
  return Object.fromEntries(claims);
}
