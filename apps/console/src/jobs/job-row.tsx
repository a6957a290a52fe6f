import { PluginConfigError, type Job, type JobState } from '@plugin-config/client';
import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  LoaderCircle,
  X,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { recordsOf } from '../live/use-family.ts';
import { useMayConfigure } from '../session/session.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { Badge } from '../ui/badge.tsx';
import { QueryResult, useChange, useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { CopyButton, Time } from '../ui/texts.tsx';
import { jobsKey } from './declared-job.ts';

export const STATES: Readonly<Record<JobState, string>> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
const LOOKS: Readonly<
  Record<JobState, readonly [tone: 'neutral' | 'accent' | 'good' | 'bad', icon: LucideIcon]>
> = {
  queued: ['neutral', CircleDashed],
  running: ['accent', LoaderCircle],
  succeeded: ['good', CircleCheck],
  failed: ['bad', CircleX],
  cancelled: ['neutral', CircleSlash],
};

interface Properties {
  readonly at: RecordRef;
  readonly job: Job;
}

export function JobRow({ at, job, title }: Properties & { readonly title: string }) {
  const [tone, icon] = LOOKS[job.state];
  const { id, type, state, error, message, instance, progress } = job;
  const { created_at: created, started_at: started, finished_at: finished } = job;
  return (
    <>
      <div>
        <strong>{title}</strong>{' '}
        <Badge tone={tone} icon={icon}>
          {STATES[state]}
        </Badge>{' '}
        <span className="hint">{attemptsOf(job)}</span>
        {state === 'running' && progress !== null && (
          <div className="with-icon hint">
            <progress aria-label={`Progress of ${title}`} value={progress} />
            {Math.floor(progress * 100)}%
          </div>
        )}
        {message !== null && state !== 'succeeded' && <div className="hint">{message}</div>}
        {error !== null && (
          <>
            {state === 'running' && <div className="hint">The last attempt failed:</div>}
            <pre className="last-error">{error}</pre>
          </>
        )}
        {type !== null && finished !== null && instance !== null && <Output at={at} job={job} />}
      </div>
      <span className="hint">
        Queued <Time at={created} />
        {started !== null && <Time before=", started " at={started} />}
        {instance !== null && ` by ${instance}`}
        {finished !== null && <Time before=", finished " at={finished} />}{' '}
        <CopyButton text={id} what={`job ID ${id}`} /> <Cancel at={at} job={job} />
      </span>
    </>
  );
}

/** What the runtime returned, which lists of jobs leave out. */
function Output({ at, job: { id } }: Properties) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Output</summary>
      {isOpen && <OpenOutput at={at} id={id} />}
    </details>
  );
}

function OpenOutput({ at, id }: { readonly at: RecordRef; readonly id: string }) {
  const query = useRead(
    [...jobsKey(at), 'one', id],
    async (options) => recordsOf(at).job(at.id, id, {}, options),
    { staleTime: Infinity },
  );
  return (
    <QueryResult query={query} what="output">
      {({ output }) =>
        output === null ? (
          <p className="hint">The runtime returned nothing.</p>
        ) : (
          <pre>{JSON.stringify(output, null, 2)}</pre>
        )
      }
    </QueryResult>
  );
}

function Cancel({ at, job: { id, type, state, cancelling } }: Properties) {
  const mayConfigure = useMayConfigure();
  const isRunning = state === 'running';
  const cancel = useChange(async () => recordsOf(at).cancelJob(at.id, id), {
    affects: jobsKey(at),
    notice: isRunning ? 'The runtime is asked to stop.' : 'The job was cancelled.',
  });
  const isTooLate = cancel.error instanceof PluginConfigError && cancel.error.code === 'job_not_queued';
  const canCancel = state === 'queued' || (isRunning && type !== null && !cancelling);
  return (
    <>
      {isRunning && cancelling && 'Asked to stop.'}
      {mayConfigure && canCancel && (
        <button type="button" className="small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          <X />
          Cancel
        </button>
      )}
      {isTooLate ? (
        <p role="alert">The job could not be cancelled because it has already started or finished.</p>
      ) : (
        <ErrorNote error={cancel.error} />
      )}
    </>
  );
}

function attemptsOf({ attempts, state, type }: Job): string {
  if (attempts === 0) {
    if (state !== 'queued') return '';
    return type === null ? 'waiting for a worker' : 'waiting for a runtime';
  }
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return state === 'queued' ? `${count}, waiting to retry` : count;
}
