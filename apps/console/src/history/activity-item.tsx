import type { ActivityEntry, FamilyActivityEntry } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { CopyButton, Time } from '../ui/texts.tsx';
import { ActorName } from './actor-name.tsx';
import { ChangeDiff } from './change-diff.tsx';
import type { FieldChange } from './shown-change.ts';

export const ACTIVITIES: Readonly<Record<ActivityEntry['activity'], string>> = {
  created: 'created',
  updated: 'changed',
  enabled: 'enabled',
  disabled: 'disabled',
  deleted: 'deleted',
  restored: 'restored',
  rearranged: 'moved',
  config_updated: 'configured',
  config_written: 'wrote secrets of',
  job_queued: 'queued a job for',
  job_succeeded: 'a job succeeded',
  job_failed: 'a job failed',
  job_cancelled: 'cancelled a job for',
};

/** How a job ended by itself: its actor has only queued it. */
const JOB_ENDS: Readonly<Partial<Record<ActivityEntry['activity'], string>>> = {
  job_succeeded: 'succeeded',
  job_failed: 'failed',
};

interface SentenceProperties {
  readonly projectId: number;
  readonly change: Pick<ActivityEntry, 'actor' | 'activity'>;
  /** What was changed. */
  readonly children: ReactNode;
}

/** Says who did what. */
export function ChangeSentence({ projectId, change: { actor, activity }, children }: SentenceProperties) {
  const name = <ActorName actor={actor} projectId={projectId} />;
  const end = JOB_ENDS[activity];
  if (end === undefined) {
    return (
      <>
        {name} {ACTIVITIES[activity]} {children}
      </>
    );
  }
  return (
    <>
      A job for {children} {end}, queued by {name}
    </>
  );
}

interface Properties {
  readonly at: FamilyRef;
  readonly entry: ActivityEntry | FamilyActivityEntry;
  /** Renders what the user can do about a change. */
  readonly children?: (change: FieldChange) => ReactNode;
}

/** A change with its actor, time and fields. */
export function ActivityItem({ at, entry, children }: Properties) {
  const { id, activity, created_at: createdAt, request_id: requestId, changes, more } = entry;
  const isFirst = activity === 'created';
  return (
    <>
      <header>
        <span>
          <ChangeSentence projectId={at.projectId} change={entry}>
            {'record' in entry ? (
              <Link href={`${recordPath({ ...at, id: entry.record })}/history`}>record {entry.record}</Link>
            ) : (
              'the record'
            )}
          </ChangeSentence>
        </span>
        <span className="hint">
          <Time at={createdAt} />
          {requestId !== null && (
            <>
              {' · Request ID '}
              <code>{requestId.slice(0, 8)}</code>{' '}
              <CopyButton text={requestId} what={`request ID of change ${id}`} />
            </>
          )}
        </span>
      </header>
      {changes.map((change) => (
        <ChangeDiff key={change.field} change={change} isFirst={isFirst}>
          {children?.(change)}
        </ChangeDiff>
      ))}
      {more !== undefined && <p className="hint">+{more} more (not recorded)</p>}
    </>
  );
}
