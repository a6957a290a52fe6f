import type { FamilyActivityQuery } from '@plugin-config/client';

/** The filters of a family's history, as in its address. Empty ones are off. */
export const FILTERS = ['record', 'activity', 'actor', 'from', 'to'] as const;

export type ActivityFilters = Readonly<Record<(typeof FILTERS)[number], string>>;

export function activityFiltersOf(query: string): ActivityFilters {
  const sent = new URLSearchParams(query);
  const [record, activity, actor, from, to] = FILTERS.map((name) => sent.get(name) ?? '');
  return {
    record: record ?? '',
    activity: activity ?? '',
    actor: actor ?? '',
    from: from ?? '',
    to: to ?? '',
  };
}

/** The query of an address, with its question mark; may be empty. */
export function activityAddressOf(filters: ActivityFilters): string {
  const set = FILTERS.filter((name) => filters[name] !== '').map((name) => [name, filters[name]]);
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}

/** The query for the service, which reports invalid filters. */
export function activityQueryOf({ record, activity, actor, from, to }: ActivityFilters): FamilyActivityQuery {
  const start = Date.parse(from);
  return Object.fromEntries(
    Object.entries({
      record,
      activity,
      actor,
      // `after` is exclusive in the API; `from` is inclusive.
      after: Number.isNaN(start) ? from : new Date(start - 1).toISOString(),
      before: to,
    }).filter(([, value]) => value !== ''),
  );
}
