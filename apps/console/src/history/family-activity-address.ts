import type { FamilyActivityQuery } from '@plugin-config/client';

/** The filters of the history of a family, as its address has them. Empty texts filter nothing. */
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

/** The query of an address; empty, or with its question mark. */
export function activityAddressOf(filters: ActivityFilters): string {
  const set = FILTERS.filter((name) => filters[name] !== '').map((name) => [name, filters[name]]);
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}

/** What the service is asked for. It says what is wrong with a filter that it cannot read. */
export function activityQueryOf({ record, activity, actor, from, to }: ActivityFilters): FamilyActivityQuery {
  const start = Date.parse(from);
  return Object.fromEntries(
    Object.entries({
      record,
      activity,
      actor,
      // The service leaves out the moment of `after`.
      after: Number.isNaN(start) ? from : new Date(start - 1).toISOString(),
      before: to,
    }).filter(([, value]) => value !== ''),
  );
}
