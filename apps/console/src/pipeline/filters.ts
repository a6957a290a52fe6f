import type { ConfigRecord } from '@plugin-config/client';
import { RECORD_TEXTS } from '@plugin-config/domain/vocabulary';
import { pluginName } from '../record/plugin-info.ts';

/** The names of the filters in an address. */
const NAMES = ['deleted', 'enabled', 'plugin', 'valid', 'outdated', 'errors', 'search'] as const;

/**
 * Which records of a family are shown, as in the query of the address. Empty filters are off: `deleted`, `enabled`, `valid`,
 * `outdated` and `errors` are "true" or "false", `plugin` is a number, `search` a part of a text of the record or of the plugin's name.
 */
export type Filters = Readonly<Record<(typeof NAMES)[number], string>>;

export const filtersOf = (query: URLSearchParams): Filters =>
  Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as Filters;

/** Returns the query of the address, without filters that are off. */
export const queryOf = (filters: Filters): URLSearchParams =>
  new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));

export function matches(
  record: ConfigRecord,
  { enabled, plugin, valid, outdated, errors, search }: Filters,
  marked: Readonly<Record<'invalid' | 'outdated', ReadonlySet<number>>>,
): boolean {
  if (valid !== '' && String(!marked.invalid.has(record.id)) !== valid) return false;
  if (outdated !== '' && String(marked.outdated.has(record.id)) !== outdated) return false;
  if (enabled !== '' && String(record.enabled) !== enabled) return false;
  if (plugin !== '' && String(record.plugin) !== plugin) return false;
  if (errors === 'true' && record.error === null) return false;
  if (search === '') return true;
  const wanted = search.toLowerCase();
  return [...RECORD_TEXTS.map((text) => record[text]), pluginName(record)].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
}
