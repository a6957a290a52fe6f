import type { NewApiKey, OwnApiKey } from '@plugin-config/client';
import type { Scope } from '../../session/may.ts';
import { momentOf } from '../../ui/local-time.ts';

export const SCOPES: Readonly<Record<Scope, string>> = {
  'plugin:read': 'read plugins, logs and history',
  'plugin:write': 'change plugins',
  'plugin_log:write': 'write logs',
  plugin_runtime: 'run plugins: read configurations with their secrets',
  'key:write': 'issue and revoke keys',
  'project:write': 'create and rename projects',
  'plugin_registry:write': 'register plugins',
  '*': 'everything',
};

/** What the form holds. */
export interface KeyForm {
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Ids, separated by commas or spaces; empty for those of the signed-in key. */
  readonly projects: string;
  /** In the reader's zone, as the browser's field has it; empty for the time of the signed-in key. */
  readonly expires: string;
}

/** The scopes that a key may give: it gives only what it has. */
export function scopesToGive({ scopes }: OwnApiKey): readonly Scope[] {
  const all = Object.keys(SCOPES) as readonly Scope[];
  return scopes.includes('*') ? all : all.filter((scope) => scopes.includes(scope));
}

/** The request for a key; a text if the form cannot be one. */
export function newKeyOf({ label, scopes, projects, expires }: KeyForm): NewApiKey | string {
  const ids = projects.split(/[\s,]+/).filter((part) => part !== '');
  const wrong = ids.find((id) => !/^[1-9]\d{0,14}$/.test(id));
  if (wrong !== undefined) return `"${wrong}" is no id of a project.`;
  if (scopes.length === 0) return 'Choose what the key may do.';
  return {
    label: label.trim(),
    scopes,
    ...(ids.length > 0 && { project_ids: ids.map(Number) }),
    ...(expires !== '' && { expires_at: momentOf(expires) }),
  };
}
