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
  job_succeeded: 'completed a job for',
  job_failed: 'failed a job for',
  job_cancelled: 'cancelled a job for',
};

interface Properties {
  readonly at: FamilyRef;
  readonly entry: ActivityEntry | FamilyActivityEntry;
  /** Renders what the user can do about a change. */
  readonly children?: (change: FieldChange) => ReactNode;
}

/** A change with its actor, time and fields. */
export function ActivityItem({ at, entry, children }: Properties) {
  const { id, actor, activity, created_at: createdAt, request_id: requestId, changes, more } = entry;
  const isFirst = activity === 'created';
  return (
    <>
      <header>
        <span>
          <ActorName actor={actor} projectId={at.projectId} /> {ACTIVITIES[activity]}{' '}
          {'record' in entry ? (
            <Link href={`${recordPath({ ...at, id: entry.record })}/history`}>record {entry.record}</Link>
          ) : (
            'the record'
          )}
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
