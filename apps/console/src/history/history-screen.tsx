import { History } from 'lucide-react';
import { useSearch } from 'wouter';
import { recordKey, recordsOf } from '../live/use-family.ts';
import type { ScreenProperties } from '../record/use-record.ts';
import { useMayWrite } from '../session/session.ts';
import { FAMILIES, familyPath, recordPath } from '../shell/addresses.ts';
import { Tabs } from '../shell/heading.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { ActivityItem } from './activity-item.tsx';
import { FieldRestore } from './field-restore.tsx';
import { Revisions } from './revisions.tsx';

/** Entries about jobs don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;

/** The changes and revisions of a record, newest first. */
export function HistoryScreen({ at, record }: ScreenProperties) {
  const isRevisions = useSearch() === 'show=revisions';
  const changes = `${recordPath(at)}/history`;
  const revisions = `${changes}?show=revisions`;
  return (
    <section aria-label="History">
      <Tabs
        label="Parts of the history"
        isMinor
        tabs={[
          [changes, 'Changes'],
          [revisions, 'Revisions'],
          [`${familyPath(at)}/activity`, `History of all ${FAMILIES[at.family].toLowerCase()}`],
        ]}
        current={isRevisions ? revisions : changes}
      />
      {isRevisions ? <Revisions at={at} record={record} /> : <Changes at={at} record={record} />}
    </section>
  );
}

function Changes({ at, record }: ScreenProperties) {
  const mayWrite = useMayWrite();
  const list = useListing(
    [...recordKey(at), 'activity'],
    async (range, options) => recordsOf(at).activity(at.id, range, options).page(),
    () => REFRESH_MS,
  );
  return (
    <Listing
      list={list}
      what="history"
      className="activity"
      empty={<Empty icon={History} title="No changes yet" />}
    >
      {(entry) => (
        <ActivityItem at={at} entry={entry}>
          {(change) => mayWrite && <FieldRestore at={at} record={record} change={change} />}
        </ActivityItem>
      )}
    </Listing>
  );
}
