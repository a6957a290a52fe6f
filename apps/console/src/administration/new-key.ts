import type { NewApiKey, OwnApiKey, Scope } from '@plugin-config/client';
import type { Option } from '../ui/combobox.tsx';
import { momentOf } from '../ui/format.ts';

/** The query key prefix of API keys. */
export const KEYS = ['keys'];

export const SCOPES: Readonly<Record<Scope, string>> = {
  'plugin:read': 'Read plugins, logs and history',
  'plugin:write': 'Change plugins',
  'config:write': 'Change configurations, and enable or disable plugins',
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
  /** Whether it is for all projects of the signed-in key. */
  readonly isForAll: boolean;
  /** Otherwise, the projects that it is for. */
  readonly projects: readonly Option[];
  /** Whether it is for all plugins. */
  readonly isForAllPlugins: boolean;
  /** Otherwise, the plugins that it is for. */
  readonly plugins: readonly Option[];
  /** In local time, as in the input; empty for the expiry of the signed-in key. */
  readonly expires: string;
}

export function grantableScopes({ scopes }: OwnApiKey): readonly Scope[] {
  const all = Object.keys(SCOPES) as readonly Scope[];
  return scopes.includes('*') ? all : all.filter((scope) => scopes.includes(scope));
}

/** Returns the request for a key, or what is wrong with the form. */
export function newKeyOf(
  { label, scopes, isForAll, projects, isForAllPlugins, plugins, expires }: KeyForm,
  own: Pick<OwnApiKey, 'project_ids'>,
): NewApiKey | string {
  if (scopes.length === 0) return 'Select at least one scope.';
  if (!isForAll && projects.length === 0) return 'Choose the projects of the key, or all projects.';
  if (!isForAllPlugins && plugins.length === 0) return 'Choose the plugins of the key, or all plugins.';
  return {
    label: label.trim(),
    scopes,
    project_ids: isForAll ? own.project_ids : projects.map(({ id }) => Number(id)),
    plugin_ids: isForAllPlugins ? null : plugins.map(({ id }) => Number(id)),
    ...(expires !== '' && { expires_at: momentOf(expires) }),
  };
}

const SHOWN_IDS = 10;

/** Describes the projects or plugins of a key, which may be a thousand. */
export function idsText(what: 'projects' | 'plugins', ids: readonly number[] | null): string {
  if (ids === null) return `all ${what}`;
  const more = ids.length - SHOWN_IDS;
  return `${ids.length === 1 ? what.slice(0, -1) : what} ${ids.slice(0, SHOWN_IDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
