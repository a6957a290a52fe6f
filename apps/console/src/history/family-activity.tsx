import { Link, useLocation, useSearch } from 'wouter';
import { localTimeOf, momentOf } from '../ui/local-time.ts';
import { recordsOf } from '../live/use-family.ts';
import { FAMILIES, familyPath, type FamilyRef } from '../shell/addresses.ts';
import { Empty } from '../ui/empty.tsx';
import { Listing } from '../ui/listing.tsx';
import { Title } from '../ui/title.tsx';
import { useFormAt } from '../ui/use-form-at.ts';
import { useListing } from '../ui/use-listing.ts';
import { ACTIVITIES, ActivityList } from './activity-list.tsx';
import {
  activityAddressOf,
  activityFiltersOf,
  activityQueryOf,
  FILTERS,
  type ActivityFilters,
} from './family-activity-address.ts';

const READ_AGAIN_MS = 15_000;

/** What was done with the records of a family, newest first. The address has the filters. */
export function FamilyActivity({ at }: { readonly at: FamilyRef }) {
  const query = useSearch();
  const [, navigate] = useLocation();
  const filters = activityFiltersOf(query);
  const address = activityAddressOf(filters);
  const list = useListing(
    ['family-activity', at.projectId, at.family, address],
    async (part, signal) =>
      recordsOf(at)
        .familyActivity({ ...activityQueryOf(filters), ...part }, { signal })
        .page(),
    () => READ_AGAIN_MS,
  );
  const path = `${familyPath(at)}/activity`;
  const title = `History of ${FAMILIES[at.family].toLowerCase()}`;
  return (
    <>
      <Title>{title}</Title>
      <p>
        <Link href={familyPath(at)}>{FAMILIES[at.family]}</Link>
      </p>
      <h1>{title}</h1>
      <Filters filters={filters} onChange={(next) => navigate(`${path}${activityAddressOf(next)}`)} />
      <Listing
        list={list}
        what="the history"
        empty={
          <Empty title={address === '' ? 'Nothing has happened yet' : 'The filters find nothing'}>
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
  const form = useFormAt(activityAddressOf(filters));
  return (
    <form
      ref={form}
      role="search"
      className="activity-filter"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(filtersIn(new FormData(event.currentTarget)));
      }}
    >
      <label>
        <span>Change</span>
        <select key={filters.activity} name="activity" defaultValue={filters.activity}>
          <option value="">any</option>
          {Object.entries(ACTIVITIES).map(([activity, text]) => (
            <option key={activity} value={activity}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Record</span>
        <input name="record" defaultValue={filters.record} inputMode="numeric" size={8} autoComplete="off" />
      </label>
      <label>
        <span>By key (its number, or operator)</span>
        <input name="actor" defaultValue={filters.actor} size={10} autoComplete="off" />
      </label>
      <label>
        <span>From</span>
        <input type="datetime-local" name="from" step="any" defaultValue={localTimeOf(filters.from)} />
      </label>
      <label>
        <span>Until</span>
        <input type="datetime-local" name="to" step="any" defaultValue={localTimeOf(filters.to)} />
      </label>
      <button type="submit">Find</button>
    </form>
  );
}

function filtersIn(data: FormData): ActivityFilters {
  const [record = '', activity = '', actor = '', from = '', to = ''] = FILTERS.map((name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  });
  return { record, activity, actor, from: momentOf(from), to: momentOf(to) };
}
