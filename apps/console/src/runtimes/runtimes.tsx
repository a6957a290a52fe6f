import type { Runtime } from '@plugin-config/client';
import { Link } from 'wouter';
import { useFamily } from '../live/use-family.ts';
import { recordName } from '../record/plugin-info.ts';
import { FAMILIES, recordPath, type FamilyRef } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { SERVICE_URL } from '../shell/service.ts';
import { QueryResult } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Command, Time } from '../ui/texts.tsx';
import { runtimesSummaryOf, runtimeStateOf } from './runtime-state.ts';
import { useRuntimes } from './use-runtimes.ts';

/** The runtimes of a family: what each one runs, and what it could not apply. */
export function Runtimes({ at }: { readonly at: FamilyRef }) {
  const query = useRuntimes(at);
  return (
    <>
      <Heading at={at} title={`Runtimes of ${FAMILIES[at.family].toLowerCase()}`} />
      <QueryResult query={query} what="runtimes">
        {(runtimes) =>
          runtimes.length === 0 ? (
            <NoRuntime at={at} />
          ) : (
            <>
              <p>{runtimesSummaryOf(runtimes)}</p>
              <ul className="rows runtimes">
                {runtimes.map((runtime) => (
                  <RuntimeRow key={runtime.instance} at={at} runtime={runtime} />
                ))}
              </ul>
            </>
          )
        }
      </QueryResult>
    </>
  );
}

interface RowProperties {
  readonly at: FamilyRef;
  readonly runtime: Runtime;
}

function RuntimeRow({ at, runtime }: RowProperties) {
  const { instance, online, status, current, error, failed, labels } = runtime;
  const stateClass = status === 'failed' ? 'bad' : online && !current ? 'warn' : '';
  return (
    <li>
      <div>
        <strong>{instance}</strong> <span className={stateClass}>{runtimeStateOf(runtime)}</span>
        <div className="hint">
          {Object.entries(labels).map(([name, value]) => (
            <span key={name}>
              {name}: <bdi>{value}</bdi>{' '}
            </span>
          ))}
        </div>
        {error !== null && <pre className="last-error">{error}</pre>}
        {failed.length > 0 && <FailedRecords at={at} runtime={runtime} />}
      </div>
      <div className="hint">
        Version <code>{runtime.version}</code>
        <br />
        Seen <Time at={runtime.last_seen_at} />, first seen <Time at={runtime.first_seen_at} />
      </div>
    </li>
  );
}

function FailedRecords({ at, runtime: { instance, failed } }: RowProperties) {
  const { data } = useFamily(at);
  const names = new Map(data?.records.map((record) => [record.id, recordName(record)]));
  return (
    <ul aria-label={`Records that ${instance} could not apply`}>
      {failed.map(({ id, error }) => (
        <li key={id}>
          <Link href={recordPath({ ...at, id })}>{names.get(id) ?? `Record ${id}`}</Link>
          <pre className="last-error">{error}</pre>
        </li>
      ))}
    </ul>
  );
}

function NoRuntime({ at: { projectId } }: { readonly at: FamilyRef }) {
  const key = `npm run --silent cli -- key create --label "My runtime" --scope plugin_runtime --project ${projectId}`;
  return (
    <Empty title="No runtime has reported in the last 24 hours">
      <p>
        A runtime executes plugins: it reads their configurations, secrets included, and reports what it runs.
        Issue a key for it with the <code>plugin_runtime</code> scope:
      </p>
      <Command text={key} />
      <p>
        See <code>docs/runtimes.md</code> for a complete runtime, and the{' '}
        <a href={`${SERVICE_URL}docs`}>API reference</a> for every field.
      </p>
    </Empty>
  );
}
