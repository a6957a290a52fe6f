import type { NewApiKey, OwnApiKey, Scope } from '@plugin-config/client';
import { momentOf } from '../ui/format.ts';

/** The query key prefix of API keys. */
export const KEYS = ['keys'];

export const SCOPES: Readonly<Record<Scope, string>> = {
  'plugin:read': 'Read plugins, logs and history',
  'plugin:write': 'Change plugins',
  'plugin_log:write': 'Write logs',
  plugin_runtime: 'Run plugins: read configurations, including secrets',
  'key:write': 'Issue and revoke keys',
  'project:write': 'Create and rename projects',
  'plugin_registry:write': 'Register plugins',
  '*': 'Everything',
};

export interface KeyForm {
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Ids separated by commas or spaces; empty for those of the signed-in key. */
  readonly projects: string;
  /** In local time, as in the input; empty for the expiry of the signed-in key. */
  readonly expires: string;
}

export function grantableScopes({ scopes }: OwnApiKey): readonly Scope[] {
  const all = Object.keys(SCOPES) as readonly Scope[];
  return scopes.includes('*') ? all : all.filter((scope) => scopes.includes(scope));
}

/** Returns the request for a key, or what is wrong with the form. */
export function newKeyOf({ label, scopes, projects, expires }: KeyForm): NewApiKey | string {
  const ids = projects.split(/[\s,]+/).filter((part) => part !== '');
  const wrong = ids.find((id) => !/^[1-9]\d{0,14}$/.test(id));
  if (wrong !== undefined) return `"${wrong}" is not a project ID.`;
  if (scopes.length === 0) return 'Select at least one scope.';
  return {
    label: label.trim(),
    scopes,
    ...(ids.length > 0 && { project_ids: ids.map(Number) }),
    ...(expires !== '' && { expires_at: momentOf(expires) }),
  };
}
