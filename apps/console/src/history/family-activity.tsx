import { History } from 'lucide-react';
import { Link, useLocation, useSearch } from 'wouter';
import { recordsOf } from '../live/use-family.ts';
import { useMayWrite } from '../session/session.ts';
import { familyPath, type FamilyRef } from '../shell/addresses.ts';
import { FamilyHeading } from '../shell/heading.tsx';
import { Form, Select, TextField, textIn, TimeField, useResettingForm } from '../ui/fields.tsx';
import { momentOf } from '../ui/format.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { ACTIVITIES, ActivityItem } from './activity-item.tsx';
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
  const mayWrite = useMayWrite();
  const [, navigate] = useLocation();
  const filters = activityFiltersOf(useSearch());
  const address = activityAddressOf(filters);
  const form = useResettingForm(address);
  const path = `${familyPath(at)}/activity`;
  const list = useListing(
    ['family-activity', at.projectId, at.family, address],
    async (range, options) =>
      recordsOf(at)
        .familyActivity({ ...activityQueryOf(filters), ...range }, options)
        .page(),
    () => REFRESH_MS,
  );
  const apply = (data: FormData): void => {
    const sent = FILTERS.map((name) => {
      const text = textIn(data, name);
      return [name, name === 'from' || name === 'to' ? momentOf(text) : text] as const;
    });
    navigate(path + activityAddressOf(Object.fromEntries(sent) as ActivityFilters));
  };
  return (
    <>
      <FamilyHeading at={at} tab="/activity" />
      <Form ref={form} role="search" className="filters" onSubmit={apply}>
        <Select
          key={filters.activity}
          label="Change"
          name="activity"
          defaultValue={filters.activity}
          options={[['', 'Any'], ...Object.entries(ACTIVITIES)]}
          onChange={() => form.current?.requestSubmit()}
        />
        <TextField
          label="Record"
          name="record"
          defaultValue={filters.record}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          label="Key ID"
          placeholder="or operator"
          name="actor"
          defaultValue={filters.actor}
          autoComplete="off"
        />
        <TimeField label="From" name="from" defaultValue={filters.from} />
        <TimeField label="Until" name="to" defaultValue={filters.to} />
        <button type="submit">Apply filters</button>
      </Form>
      <Listing
        list={list}
        what="history"
        className="activity"
        empty={
          <Empty icon={History} title={address === '' ? 'No changes yet' : 'No changes match the filters'}>
            {address === '' ? (
              <>
                <p>
                  Every change to a record appears here: who made it, when, and each field before and after.
                </p>
                {mayWrite && (
                  <Link href={`${familyPath(at)}/attach`} className="button">
                    Attach a plugin
                  </Link>
                )}
              </>
            ) : (
              <Link href={path} className="button">
                Clear filters
              </Link>
            )}
          </Empty>
        }
      >
        {(entry) => <ActivityItem at={at} entry={entry} />}
      </Listing>
    </>
  );
}
