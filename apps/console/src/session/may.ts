import type { OwnApiKey } from '@plugin-config/client';

export type Scope = OwnApiKey['scopes'][number];

/** Whether the key has the scope. Writing includes reading. */
export function may({ scopes }: OwnApiKey, scope: Scope): boolean {
  if (scopes.includes('*') || scopes.includes(scope)) return true;
  return scope === 'plugin:read' && scopes.includes('plugin:write');
}

/** Whether the key has the scope for all projects. */
export function mayEverywhere(key: OwnApiKey, scope: Scope): boolean {
  return key.project_ids === null && may(key, scope);
}
