import type { Job, JobState } from '@plugin-config/client';
import { ListTodo, Play } from 'lucide-react';
import { useRef } from 'react';
import { useSearchParams } from 'wouter';
import { recordsOf } from '../live/use-family.ts';
import { pluginInfoOf } from '../record/plugin-info.ts';
import type { ScreenProperties } from '../record/use-record.ts';
import { useMayConfigure, useMayRead } from '../session/session.ts';
import { Select } from '../ui/fields.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { useParameter } from '../ui/use-parameter.ts';
import { jobsKey, titleOf } from './declared-job.ts';
import { JobRow, STATES } from './job-row.tsx';
import { givenIn, RUN } from './run-address.ts';
import { RunForm } from './run-form.tsx';

/** The stream doesn't send jobs, so the list is polled, more often while a job is unfinished. */
const UNFINISHED_MS = 1500;
const IDLE_MS = 15_000;

/** The jobs of a record, newest first. */
export function JobsScreen({ at, record }: ScreenProperties) {
  const mayConfigure = useMayConfigure();
  const mayRead = useMayRead(at.projectId);
  const [search, setSearch] = useSearchParams();
  const [sent, setState] = useParameter('state');
  const state = Object.hasOwn(STATES, sent) ? (sent as JobState) : undefined;
  const types = pluginInfoOf(record)?.jobs ?? [];
  const [first] = types;
  const run = search.get(RUN);
  const runButton = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setSearch({});
    runButton.current?.focus();
  };
  const list = useListing(
    [...jobsKey(at), state ?? 'all'],
    async (range, options) =>
      recordsOf(at)
        .jobs(at.id, { ...range, state }, options)
        .page(),
    (jobs) => (jobs.some(isUnfinished) ? UNFINISHED_MS : IDLE_MS),
  );
  const canRun = mayConfigure && first !== undefined;
  return (
    <section aria-label="Jobs">
      <search className="toolbar">
        <Select
          label="State"
          value={state ?? ''}
          options={[['', 'Any state'], ...Object.entries(STATES)]}
          onChange={setState}
        />
        {canRun && (
          <button
            ref={runButton}
            type="button"
            className={`end ${run === null ? 'primary' : ''}`}
            aria-expanded={run !== null}
            onClick={() => (run === null ? setSearch({ [RUN]: first.type }) : close())}
          >
            <Play />
            Run a job
          </button>
        )}
      </search>
      <div className="stack">
        {canRun && run !== null && (
          <RunForm
            at={at}
            record={record}
            types={types}
            type={run}
            given={givenIn(search)}
            onChoose={(type) => setSearch({ [RUN]: type })}
            onClose={close}
          />
        )}
        <Listing
          list={list}
          what="jobs"
          className="rows jobs"
          empty={
            <Empty
              icon={ListTodo}
              {...(mayRead && { guide: 'api/jobs.md' })}
              title={state === undefined ? 'No jobs yet' : `No ${STATES[state].toLowerCase()} jobs`}
            >
              {mayRead && (
                <p>
                  {canRun
                    ? 'A job is done by a runtime of the plugin. Run one here, or queue it with the API.'
                    : 'A job changes the record in the background. The API queues one.'}
                </p>
              )}
            </Empty>
          }
        >
          {(job) => <JobRow at={at} job={job} title={titleIn(types, job)} />}
        </Listing>
      </div>
    </section>
  );
}

function titleIn(types: readonly Parameters<typeof titleOf>[0][], { type }: Job): string {
  if (type === null) return 'Change';
  return titleOf(types.find((one) => one.type === type) ?? { type });
}

const isUnfinished = ({ state }: Job): boolean => state === 'queued' || state === 'running';
