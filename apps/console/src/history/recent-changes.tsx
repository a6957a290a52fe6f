import type { RecordOverview } from '@plugin-config/client';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Panel } from '../ui/panel.tsx';
import { Loading } from '../ui/states.tsx';
import { ChangeRow } from './change-row.tsx';
import { changedFields } from './shown-change.ts';

interface Properties {
  readonly at: RecordRef;
  /** Undefined while loading. */
  readonly changes: RecordOverview['changes'] | undefined;
}

/** The latest changes to a record, one per line. */
export function RecentChanges({ at, changes: entries }: Properties) {
  return (
    <Panel title="Latest changes" link={[`${recordPath(at)}/history`, 'All changes']}>
      {entries === undefined ? (
        <Loading what="changes" />
      ) : (
        <ol className="rows recent">
          {entries.map(({ changes, ...entry }) => (
            <ChangeRow
              key={entry.id}
              projectId={at.projectId}
              change={entry}
              fields={changedFields(
                entry.activity,
                changes.map(({ field }) => field),
              )}
            >
              the record
            </ChangeRow>
          ))}
        </ol>
      )}
    </Panel>
  );
}
