import type { Runtime } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { recordsOf, useFamily } from '../live/use-family.ts';
import { recordName } from '../pipeline/names.ts';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { FAMILIES, recordPath, type FamilyRef } from '../shell/addresses.ts';
import { FamilyHeading } from '../shell/family-heading.tsx';
import { SERVICE_URL } from '../shell/service.ts';
import { Command } from '../ui/command.tsx';
import { Empty } from '../ui/empty.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { useNotify } from '../ui/notices.tsx';
import { QueryResult } from '../ui/query-result.tsx';
import { Time } from '../ui/time.tsx';
import { runtimesSummaryOf, runtimeStateOf } from './runtime-state.ts';
import { runtimesKey, useRuntimes } from './use-runtimes.ts';
import './runtimes.css';

/** The runtimes of a family: what each one runs, and what it could not apply. */
export function Runtimes({ at }: { readonly at: FamilyRef }) {
  const query = useRuntimes(at);
  return (
    <>
      <FamilyHeading at={at} title={`Runtimes of ${FAMILIES[at.family].toLowerCase()}`} />
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
  const queries = useQueryClient();
  const notify = useNotify();
  const mayWrite = may(useKey(), 'plugin:write');
  const { instance, online, status, current, error, failed, labels } = runtime;
  const forget = useMutation({
    mutationFn: async () => recordsOf(at).forgetRuntime(instance),
    onSuccess: () => notify(`${instance} was forgotten.`),
    onSettled: async () => queries.invalidateQueries({ queryKey: runtimesKey(at) }),
  });
  const stateClass = status === 'failed' ? 'failed' : online && !current ? 'behind' : '';
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
        {forget.error !== null && <ErrorNote error={forget.error} />}
      </div>
      <div className="hint">
        Version <code>{runtime.version}</code>
        <br />
        Seen <Time at={runtime.last_seen_at} />, first seen <Time at={runtime.first_seen_at} />{' '}
        {mayWrite && !online && (
          <button
            type="button"
            className="small"
            aria-label={`Forget ${instance}`}
            disabled={forget.isPending}
            onClick={() => forget.mutate()}
          >
            Forget
          </button>
        )}
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

function NoRuntime({ at: { projectId, family } }: { readonly at: FamilyRef }) {
  const mayIssue = may(useKey(), 'key:write');
  const key = `npm run --silent cli -- key create --label "My runtime" --scope plugin_runtime --project ${projectId}`;
  const read = `curl -H "Authorization: Bearer $KEY" ${SERVICE_URL}api/projects/${projectId}/${family}/runtime`;
  return (
    <Empty title="No runtime has reported in the last 24 hours">
      <p>
        A runtime executes plugins: it reads their configurations, secrets included, and reports what it runs.
      </p>
      <p>
        Issue a key for it with the <code>plugin_runtime</code> scope
        {mayIssue && (
          <>
            , <Link href="/administration/keys">here</Link> or with this command
          </>
        )}
        :
      </p>
      <Command text={key} />
      <p>With that key, it reads what to run:</p>
      <Command text={`KEY='…'\n${read}`} />
      <p>
        See <code>docs/runtimes.md</code> for a complete runtime, and the{' '}
        <a href={`${SERVICE_URL}docs`}>API reference</a> for every field.
      </p>
    </Empty>
  );
}
