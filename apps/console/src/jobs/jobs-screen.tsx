import { PluginConfigError, type Job, type JobState } from '@plugin-config/client';
import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  ListTodo,
  LoaderCircle,
  X,
  type LucideIcon,
} from 'lucide-react';
import { useSearchParams } from 'wouter';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { useMayWrite } from '../session/session.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { Select } from '../ui/fields.tsx';
import { Badge } from '../ui/badge.tsx';
import { Listing, useChange, useListing } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { CopyButton, Time } from '../ui/texts.tsx';

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
const LOOKS: Readonly<
  Record<JobState, readonly [tone: 'neutral' | 'accent' | 'good' | 'bad', icon: LucideIcon]>
> = {
  queued: ['neutral', CircleDashed],
  running: ['accent', LoaderCircle],
  succeeded: ['good', CircleCheck],
  failed: ['bad', CircleX],
  cancelled: ['neutral', CircleSlash],
};

const jobsKey = (at: RecordRef) => [...recordKey(at), 'jobs'];

/** The jobs of a record, newest first. */
export function JobsScreen({ at }: { readonly at: RecordRef }) {
  const [search, setSearch] = useSearchParams();
  const sent = search.get('state') ?? '';
  const state = Object.hasOwn(STATES, sent) ? (sent as JobState) : undefined;
  const list = useListing(
    [...jobsKey(at), state ?? 'all'],
    async (range, options) =>
      recordsOf(at)
        .jobs(at.id, { ...range, state }, options)
        .page(),
    (jobs) => (jobs.some(isUnfinished) ? UNFINISHED_MS : IDLE_MS),
  );
  return (
    <section aria-label="Jobs">
      <search className="toolbar">
        <Select
          label="State"
          value={state ?? ''}
          options={[['', 'Any state'], ...Object.entries(STATES)]}
          onChange={(value) => setSearch(value === '' ? {} : { state: value })}
        />
      </search>
      <Listing
        list={list}
        what="jobs"
        className="rows jobs"
        empty={
          <Empty
            icon={ListTodo}
            guide="api.md"
            title={state === undefined ? 'No jobs yet' : `No ${STATES[state].toLowerCase()} jobs`}
          >
            <p>A job changes the record in the background. The API queues one.</p>
          </Empty>
        }
      >
        {(job) => <JobRow at={at} job={job} />}
      </Listing>
    </section>
  );
}

function JobRow({ at, job }: { readonly at: RecordRef; readonly job: Job }) {
  const mayWrite = useMayWrite();
  const [tone, icon] = LOOKS[job.state];
  const { id, state, error, created_at: created, started_at: started, finished_at: finished } = job;
  const cancel = useChange(async () => recordsOf(at).cancelJob(at.id, id), {
    affects: jobsKey(at),
    notice: 'The job was cancelled.',
  });
  const isTooLate = cancel.error instanceof PluginConfigError && cancel.error.code === 'job_not_queued';
  return (
    <>
      <span>
        <Badge tone={tone} icon={icon}>
          {STATES[state]}
        </Badge>{' '}
        <span className="hint">{attemptsOf(job)}</span>
        {error !== null && <pre className="last-error">{error}</pre>}
        {isTooLate ? (
          <p role="alert">The job could not be cancelled because it has already started or finished.</p>
        ) : (
          <ErrorNote error={cancel.error} />
        )}
      </span>
      <span className="hint">
        Queued <Time at={created} />
        {started !== null && <Time before=", started " at={started} />}
        {finished !== null && <Time before=", finished " at={finished} />}{' '}
        <CopyButton text={id} what={`job ID ${id}`} />{' '}
        {mayWrite && state === 'queued' && (
          <button type="button" className="small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            <X />
            Cancel
          </button>
        )}
      </span>
    </>
  );
}

function attemptsOf({ attempts, state }: Job): string {
  if (attempts === 0) return state === 'queued' ? 'waiting for a worker' : '';
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return state === 'queued' ? `${count}, waiting to retry` : count;
}

const isUnfinished = ({ state }: Job): boolean => state === 'queued' || state === 'running';
