import type { ConfigRecord } from '@plugin-config/client';
import { pluginName } from './names.ts';

/** Which records of a family are shown, as in the query of the address. */
export interface Filters {
  /** Whether deleted records are shown instead of the others. */
  readonly deleted: boolean;
  readonly enabled: boolean | null;
  readonly plugin: number | null;
  /** Only records whose plugin has reported an error. */
  readonly errors: boolean;
  /** Part of the name, the description or the plugin's name. */
  readonly search: string;
}

const TRUTH = { true: true, false: false };

export function filtersOf(query: URLSearchParams): Filters {
  const plugin = query.get('plugin') ?? '';
  return {
    deleted: query.get('deleted') === 'true',
    enabled: truthOf(query.get('enabled')),
    plugin: /^[1-9]\d{0,9}$/.test(plugin) ? Number(plugin) : null,
    errors: query.get('errors') === 'true',
    search: query.get('search') ?? '',
  };
}

/** Returns the query of the address, without defaults. */
export function queryOf({ deleted, enabled, plugin, errors, search }: Filters): URLSearchParams {
  return new URLSearchParams({
    ...(deleted && { deleted: 'true' }),
    ...(enabled !== null && { enabled: String(enabled) }),
    ...(plugin !== null && { plugin: String(plugin) }),
    ...(errors && { errors: 'true' }),
    ...(search !== '' && { search }),
  });
}

export function matches(record: ConfigRecord, { enabled, plugin, errors, search }: Filters): boolean {
  if (enabled !== null && record.enabled !== enabled) return false;
  if (plugin !== null && record.plugin !== plugin) return false;
  if (errors && record.error === null) return false;
  if (search === '') return true;
  const wanted = search.toLowerCase();
  return [record.name, record.description, pluginName(record)].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
}

function truthOf(text: string | null): boolean | null {
  return text === 'true' || text === 'false' ? TRUTH[text] : null;
}
