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

/** What a key or a trust grants, and in which projects. */
export interface RightsForm {
  readonly scopes: readonly Scope[];
  /** Whether it is for all projects of the signed-in key. */
  readonly isForAll: boolean;
  /** Otherwise, the projects that it is for. */
  readonly projects: readonly Option[];
}

export interface KeyForm extends RightsForm {
  readonly label: string;
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

type Own = Pick<OwnApiKey, 'project_ids'>;

/** Returns the rights that a form describes. @throws Error if something is missing */
export function rightsOf({ scopes, isForAll, projects }: RightsForm, own: Own, what: 'key' | 'trust') {
  if (scopes.length === 0) throw new Error('Select at least one scope.');
  if (!isForAll && projects.length === 0)
    throw new Error(`Choose the projects of the ${what}, or all projects.`);
  return {
    scopes: [...scopes],
    project_ids: isForAll ? own.project_ids : projects.map(({ id }) => Number(id)),
  };
}

/** Returns the request for a key. @throws Error if something is missing */
export function newKeyOf(form: KeyForm, own: Own): NewApiKey {
  const { label, isForAllPlugins, plugins, expires } = form;
  const rights = rightsOf(form, own, 'key');
  if (!isForAllPlugins && plugins.length === 0)
    throw new Error('Choose the plugins of the key, or all plugins.');
  return {
    label: label.trim(),
    ...rights,
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
