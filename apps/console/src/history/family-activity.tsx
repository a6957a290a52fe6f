import { Link, useLocation, useSearch } from 'wouter';
import { momentOf } from '../ui/local-time.ts';
import { recordsOf } from '../live/use-family.ts';
import { FAMILIES, familyPath, type FamilyRef } from '../shell/addresses.ts';
import { FamilyHeading } from '../shell/family-heading.tsx';
import { Empty } from '../ui/empty.tsx';
import { Form, Select, TextField, TimeField } from '../ui/fields.tsx';
import { Listing } from '../ui/listing.tsx';
import { useResettingForm } from '../ui/use-resetting-form.ts';
import { useListing } from '../ui/use-listing.ts';
import { ACTIVITIES, ActivityList } from './activity-list.tsx';
import {
  activityAddressOf,
  activityFiltersOf,
  activityQueryOf,
  FILTERS,
  type ActivityFilters,
} from './family-activity-address.ts';

const REFRESH_MS = 15_000;

/** The history of a family, newest first. Its address holds the filters. */
export function FamilyActivity({ at }: { readonly at: FamilyRef }) {
  const query = useSearch();
  const [, navigate] = useLocation();
  const filters = activityFiltersOf(query);
  const address = activityAddressOf(filters);
  const list = useListing(
    ['family-activity', at.projectId, at.family, address],
    async (range, signal) =>
      recordsOf(at)
        .familyActivity({ ...activityQueryOf(filters), ...range }, { signal })
        .page(),
    () => REFRESH_MS,
  );
  const path = `${familyPath(at)}/activity`;
  return (
    <>
      <FamilyHeading at={at} title={`History of ${FAMILIES[at.family].toLowerCase()}`} />
      <Filters filters={filters} onChange={(next) => navigate(`${path}${activityAddressOf(next)}`)} />
      <Listing
        list={list}
        what="history"
        empty={
          <Empty title={address === '' ? 'No changes yet' : 'No changes match the filters'}>
            {address !== '' && <Link href={path}>Clear filters</Link>}
          </Empty>
        }
      >
        {(entries) => <ActivityList at={at} entries={entries} />}
      </Listing>
    </>
  );
}

interface FilterProperties {
  readonly filters: ActivityFilters;
  readonly onChange: (filters: ActivityFilters) => void;
}

function Filters({ filters, onChange }: FilterProperties) {
  const form = useResettingForm(activityAddressOf(filters));
  return (
    <Form ref={form} role="search" className="filters" onSubmit={(data) => onChange(filtersIn(data))}>
      <Select
        key={filters.activity}
        label="Change"
        name="activity"
        defaultValue={filters.activity}
        options={[['', 'Any'], ...Object.entries(ACTIVITIES)]}
      />
      <TextField
        label="Record"
        name="record"
        defaultValue={filters.record}
        inputMode="numeric"
        size={8}
        autoComplete="off"
      />
      <TextField
        label='Key ID, or "operator"'
        name="actor"
        defaultValue={filters.actor}
        size={10}
        autoComplete="off"
      />
      <TimeField label="From" name="from" defaultValue={filters.from} />
      <TimeField label="Until" name="to" defaultValue={filters.to} />
      <button type="submit">Apply filters</button>
    </Form>
  );
}

function filtersIn(data: FormData): ActivityFilters {
  const [record = '', activity = '', actor = '', from = '', to = ''] = FILTERS.map((name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  });
  return { record, activity, actor, from: momentOf(from), to: momentOf(to) };
}
