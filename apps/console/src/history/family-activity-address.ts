import type { FamilyActivityQuery } from '@plugin-config/client';
import { afterOf } from '../ui/format.ts';

/** The filters of a family's history, as in its address. Empty filters are off. */
export const FILTERS = ['record', 'activity', 'actor', 'from', 'to'] as const;

export type ActivityFilters = Readonly<Record<(typeof FILTERS)[number], string>>;

export function activityFiltersOf(query: string): ActivityFilters {
  const sent = new URLSearchParams(query);
  return Object.fromEntries(FILTERS.map((name) => [name, sent.get(name) ?? ''])) as ActivityFilters;
}

/** The query of an address, with its question mark; may be empty. */
export function activityAddressOf(filters: ActivityFilters): string {
  const query = new URLSearchParams(filled(filters));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The query for the service, which reports invalid filters. */
export function activityQueryOf({ from, to, ...filters }: ActivityFilters): FamilyActivityQuery {
  return filled({ ...filters, after: afterOf(from), before: to });
}

function filled(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
