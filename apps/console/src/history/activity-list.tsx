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
  job_queued: 'queued a job for',
  job_succeeded: 'completed a job for',
  job_failed: 'failed a job for',
  job_cancelled: 'cancelled a job for',
};

interface Properties<E extends ActivityEntry> {
  readonly at: FamilyRef;
  readonly entries: readonly E[];
  /** The record whose fields can be reverted. */
  readonly restorable?: { readonly at: RecordRef; readonly record: ConfigRecord } | null;
}

/** Changes, newest first, with their actor, time and fields. */
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
                  {' · Request ID '}
                  <code>{entry.request_id.slice(0, 8)}</code>{' '}
                  <CopyButton text={entry.request_id} what={`request ID of change ${entry.id}`} />
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
          {entry.more !== undefined && <p className="hint">+{entry.more} more (not recorded)</p>}
        </li>
      ))}
    </ol>
  );
}
