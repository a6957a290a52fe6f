import { Link, useSearch } from 'wouter';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { useRecord } from '../record/use-record.ts';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { FAMILIES, familyPath, recordPath, type RecordRef } from '../shell/addresses.ts';
import { Empty } from '../ui/empty.tsx';
import { Listing } from '../ui/listing.tsx';
import { useListing } from '../ui/use-listing.ts';
import { ActivityList } from './activity-list.tsx';
import { Revisions } from './revisions.tsx';

/** Entries about jobs don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;

const PARTS = [
  { query: '', title: 'Changes' },
  { query: 'show=revisions', title: 'Revisions' },
] as const;

/** The changes and revisions of a record, newest first. */
export function HistoryScreen({ at }: { readonly at: RecordRef }) {
  const shown = useSearch();
  const { data: record } = useRecord(at);
  return (
    <section aria-label="History">
      <p className="actions history-parts">
        {PARTS.map(({ query, title }) => (
          <Link
            key={title}
            href={`${recordPath(at)}/history${query === '' ? '' : `?${query}`}`}
            aria-current={query === shown ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
        <Link href={`${familyPath(at)}/activity`}>History of all {FAMILIES[at.family].toLowerCase()}</Link>
      </p>
      {record !== undefined &&
        (shown === 'show=revisions' ? (
          <Revisions at={at} record={record} />
        ) : (
          <Changes at={at} record={record} />
        ))}
    </section>
  );
}

function Changes({ at, record }: Parameters<typeof Revisions>[0]) {
  const key = useKey();
  const list = useListing(
    [...recordKey(at), 'activity'],
    async (range, signal) => recordsOf(at).activity(at.id, range, { signal }).page(),
    () => REFRESH_MS,
  );
  return (
    <Listing list={list} what="history" empty={<Empty title="No changes yet" />}>
      {(entries) => (
        <ActivityList
          at={at}
          entries={entries}
          restorable={may(key, 'plugin:write') ? { at, record } : null}
        />
      )}
    </Listing>
  );
}
