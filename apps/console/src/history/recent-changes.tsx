import type { RecordOverview } from '@plugin-config/client';
import { ENTRY, FIELD_LABELS } from '../record/changes.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Panel } from '../ui/panel.tsx';
import { Loading } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { ACTIVITIES } from './activity-item.tsx';
import { ActorName } from './actor-name.tsx';
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
          {entries.map(({ id, actor, activity, changes, created_at: createdAt }) => (
            <li key={id}>
              <span>
                <ActorName actor={actor} projectId={at.projectId} /> {ACTIVITIES[activity]} the record
                {activity !== 'created' && changes.length > 0 && (
                  <span className="hint">
                    : {changes.map((change) => FIELD_LABELS[change.field] ?? keyOf(change)).join(', ')}
                  </span>
                )}
              </span>
              <span className="hint">
                <Time at={createdAt} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** The key of a configuration entry; the activity says that it was configured. */
const keyOf = ({ field }: FieldChange): string => field.replace(ENTRY, '');
