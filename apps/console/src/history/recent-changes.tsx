import type { RecordOverview } from '@plugin-config/client';
import { ENTRY, FIELD_LABELS } from '../record/changes.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Panel } from '../ui/panel.tsx';
import { Loading } from '../ui/states.tsx';
import { ChangeRow } from './change-row.tsx';
import type { FieldChange } from './shown-change.ts';

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
            <ChangeRow key={entry.id} projectId={at.projectId} change={entry}>
              the record
              {entry.activity !== 'created' && changes.length > 0 && (
                <span className="hint">
                  : {changes.map((change) => FIELD_LABELS[change.field] ?? keyOf(change)).join(', ')}
                </span>
              )}
            </ChangeRow>
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** The key of a configuration entry; the activity says that it was configured. */
const keyOf = ({ field }: FieldChange): string => field.replace(ENTRY, '');
