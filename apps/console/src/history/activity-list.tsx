import type { ActivityEntry, ConfigRecord, FamilyActivityEntry } from '@plugin-config/client';
import { Link } from 'wouter';
import { recordPath, type FamilyRef, type RecordRef } from '../shell/addresses.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Time } from '../ui/time.tsx';
import { ChangeDiff } from './change-diff.tsx';
import { FieldRestore } from './field-restore.tsx';
import './history.css';

export const ACTIVITIES: Readonly<Record<ActivityEntry['activity'], string>> = {
  created: 'created',
  updated: 'changed',
  enabled: 'enabled',
  disabled: 'disabled',
  deleted: 'deleted',
  restored: 'restored',
  rearranged: 'moved',
  config_updated: 'configured',
  job_queued: 'queued a job of',
  job_succeeded: 'succeeded with a job of',
  job_failed: 'failed with a job of',
  job_cancelled: 'cancelled a job of',
};

interface Properties<E extends ActivityEntry> {
  readonly at: FamilyRef;
  readonly entries: readonly E[];
  /** The record whose fields can get their values again. */
  readonly restorable?: { readonly at: RecordRef; readonly record: ConfigRecord } | null;
}

/** Changes, newest first: who made each one, when, and what became of each field. */
export function ActivityList<E extends ActivityEntry | FamilyActivityEntry>({
  at,
  entries,
  restorable = null,
}: Properties<E>) {
  return (
    <ol className="activity">
      {entries.map((entry) => (
        <li key={entry.id}>
          <header>
            <span>
              <ActorName actor={entry.actor} /> {ACTIVITIES[entry.activity]}{' '}
              {'record' in entry ? (
                <Link href={`${recordPath({ ...at, id: entry.record })}/history`}>record {entry.record}</Link>
              ) : (
                'the record'
              )}
            </span>
            <span className="hint">
              <Time at={entry.created_at} />
              {entry.request_id !== null && (
                <>
                  {' · Request '}
                  <code>{entry.request_id.slice(0, 8)}</code>{' '}
                  <CopyButton text={entry.request_id} what={`the request id of change ${entry.id}`} />
                </>
              )}
            </span>
          </header>
          {entry.changes.map((change) => (
            <ChangeDiff key={change.field} change={change} isFirst={entry.activity === 'created'}>
              {restorable !== null && (
                <FieldRestore {...restorable} change={change} isFirst={entry.activity === 'created'} />
              )}
            </ChangeDiff>
          ))}
          {entry.more !== undefined && (
            <p className="hint">And {entry.more} more changes, which are not kept.</p>
          )}
        </li>
      ))}
    </ol>
  );
}
