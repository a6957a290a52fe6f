import { PluginConfigError, type Job, type JobState } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Select } from '../ui/fields.tsx';
import { Listing } from '../ui/listing.tsx';
import { useNotify } from '../ui/notices.tsx';
import { Time } from '../ui/time.tsx';
import { useListing } from '../ui/use-listing.ts';
import { NewJobForm } from './new-job-form.tsx';
import './jobs.css';

/** The stream doesn't send jobs, so the list is polled, more often while a job is unfinished. */
const UNFINISHED_MS = 1500;
const IDLE_MS = 15_000;

const STATES: Readonly<Record<JobState, string>> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** The jobs of a record, newest first. */
export function JobsScreen({ at }: { readonly at: RecordRef }) {
  const key = useKey();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const sent = new URLSearchParams(useSearch()).get('state');
  const state = sent !== null && isState(sent) ? sent : undefined;
  const jobsKey = [...recordKey(at), 'jobs'];
  const list = useListing(
    [...jobsKey, state ?? 'all'],
    async (range, signal) =>
      recordsOf(at)
        .jobs(at.id, { ...range, state }, { signal })
        .page(),
    (jobs) => (jobs.some(isUnfinished) ? UNFINISHED_MS : IDLE_MS),
  );
  const refresh = async (): Promise<void> => queries.invalidateQueries({ queryKey: jobsKey });
  const mayWrite = may(key, 'plugin:write');
  return (
    <section aria-label="Jobs">
      {mayWrite && <NewJobForm at={at} onQueued={refresh} />}
      <search className="filters">
        <Select
          label="State"
          value={state ?? ''}
          options={[['', 'Any'], ...Object.entries(STATES)]}
          onChange={(value) => navigate(`${recordPath(at)}/jobs${value === '' ? '' : `?state=${value}`}`)}
        />
      </search>
      <Listing
        list={list}
        what="jobs"
        empty={
          <Empty title={state === undefined ? 'No jobs yet' : `No ${STATES[state].toLowerCase()} jobs`}>
            <p>
              A job changes the record in the background, or gives its plugin a task.
              {mayWrite && ' Queue one above.'}
            </p>
          </Empty>
        }
      >
        {(jobs) => (
          <ul className="rows jobs">
            {jobs.map((job) => (
              <JobRow key={job.id} at={at} job={job} mayWrite={mayWrite} onChanged={refresh} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}

interface RowProperties {
  readonly at: RecordRef;
  readonly job: Job;
  readonly mayWrite: boolean;
  readonly onChanged: () => Promise<void>;
}

function JobRow({ at, job, mayWrite, onChanged }: RowProperties) {
  const notify = useNotify();
  const [isTooLate, setTooLate] = useState(false);
  const cancel = useMutation({
    mutationFn: async () => recordsOf(at).cancelJob(at.id, job.id),
    onSuccess: () => notify('The job was cancelled.'),
    onError: (error) => setTooLate(isNotQueued(error)),
    onSettled: onChanged,
  });
  return (
    <li>
      <span>
        <strong className={`state ${job.state}`}>{STATES[job.state]}</strong>{' '}
        <span className="hint">{attemptsOf(job)}</span>
        {job.error !== null && <p className="job-error">{job.error}</p>}
        {isTooLate && (
          <p role="alert">The job could not be cancelled because it has already started or finished.</p>
        )}
        {cancel.error !== null && !isTooLate && <ErrorNote error={cancel.error} />}
      </span>
      <span className="hint">
        Queued <Time at={job.created_at} />
        {job.started_at !== null && (
          <>
            , started <Time at={job.started_at} />
          </>
        )}
        {job.finished_at !== null && (
          <>
            , finished <Time at={job.finished_at} />
          </>
        )}{' '}
        <CopyButton text={job.id} what={`job ID ${job.id}`} />
        {mayWrite && job.state === 'queued' && (
          <>
            {' '}
            <button
              type="button"
              className="small"
              disabled={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              Cancel
            </button>
          </>
        )}
      </span>
    </li>
  );
}

function attemptsOf({ attempts, state }: Job): string {
  if (attempts === 0) return state === 'queued' ? 'waiting for a worker' : '';
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return state === 'queued' ? `${count}, waiting to retry` : count;
}

const isUnfinished = ({ state }: Job): boolean => state === 'queued' || state === 'running';

function isState(text: string): text is JobState {
  return Object.hasOwn(STATES, text);
}

function isNotQueued(error: Error): boolean {
  return error instanceof PluginConfigError && error.code === 'job_not_queued';
}
