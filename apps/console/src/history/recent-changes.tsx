import { recordKey, recordsOf } from '../live/use-family.ts';
import { ENTRY, FIELD_LABELS } from '../record/changes.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Panel } from '../ui/panel.tsx';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Time } from '../ui/texts.tsx';
import { ACTIVITIES } from './activity-item.tsx';
import { ActorName } from './actor-name.tsx';
import type { FieldChange } from './shown-change.ts';

/** Entries about jobs don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;
const CHANGES = 6;

/** The latest changes to a record, one per line. */
export function RecentChanges({ at }: { readonly at: RecordRef }) {
  const query = useRead(
    [...recordKey(at), 'activity', 'recent'],
    async (options) => (await recordsOf(at).activity(at.id, { limit: CHANGES }, options).page()).results,
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Panel title="Latest changes" link={[`${recordPath(at)}/history`, 'All changes']}>
      <QueryResult query={query} what="changes">
        {(entries) => (
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
      </QueryResult>
    </Panel>
  );
}

/** The key of a configuration entry; the activity says that it was configured. */
const keyOf = ({ field }: FieldChange): string => field.replace(ENTRY, '');
