import type { Runtime } from '@plugin-config/client';
import { CircleAlert, CircleCheck, CircleOff, Clock, Layers, Server, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { familyKey, recordsOf, useFamily } from '../live/use-family.ts';
import { recordName } from '../record/plugin-info.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { FamilyHeading } from '../shell/heading.tsx';
import { SERVICE_URL } from '../shell/service.ts';
import { Badge } from '../ui/badge.tsx';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Command, CopyButton, Time } from '../ui/texts.tsx';
import {
  runtimeConditionOf,
  runtimesSummaryOf,
  runtimeStateOf,
  type RuntimeCondition,
} from './runtime-state.ts';

/** Runtimes report once a minute, and the stream doesn't send their reports. */
const REFRESH_MS = 15_000;

/** All runtimes of a family, sorted by name. There are at most 1,000. */
function useRuntimes(at: FamilyRef) {
  return useRead(
    [...familyKey(at), 'runtimes'],
    async (options) => (await recordsOf(at).runtimes({ limit: 1000 }, options).page()).results,
    { refetchInterval: REFRESH_MS },
  );
}

/** The runtimes of a family: what each one runs, and what it could not apply. */
export function Runtimes({ at }: { readonly at: FamilyRef }) {
  const query = useRuntimes(at);
  return (
    <>
      <FamilyHeading at={at} tab="/runtimes" />
      <QueryResult query={query} what="runtimes">
        {(runtimes) =>
          runtimes.length === 0 ? (
            <NoRuntime at={at} />
          ) : (
            <>
              <p>{runtimesSummaryOf(runtimes)}</p>
              <ul className="rows runtimes">
                {runtimes.map((runtime) => (
                  <li key={`${runtime.instance} ${runtime.version === null}`}>
                    <RuntimeRow runtime={runtime} failures={<FailedRecords at={at} runtime={runtime} />} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryResult>
    </>
  );
}

/** As many characters of a version as tell two apart. */
const VERSION_SHOWN = 8;

interface RowProperties {
  readonly runtime: Omit<Runtime, 'current'> & Partial<Pick<Runtime, 'current'>>;
  /** Its project and family, on the screen of all projects. */
  readonly children?: ReactNode;
  /** The records that it could not apply. */
  readonly failures: ReactNode;
}

const LOOKS: Readonly<
  Record<RuntimeCondition, readonly [tone: 'good' | 'warn' | 'bad' | 'neutral', icon: LucideIcon]>
> = {
  current: ['good', CircleCheck],
  behind: ['warn', Clock],
  failed: ['bad', CircleAlert],
  offline: ['neutral', CircleOff],
};

/** A runtime with what it last reported. */
export function RuntimeRow({ runtime, children, failures }: RowProperties) {
  const { instance, error, failed, labels, plugins } = runtime;
  const [tone, icon] = LOOKS[runtimeConditionOf(runtime)];
  return (
    <>
      <div className="stack">
        <span className="actions">
          <span className="with-icon">
            <Server />
            <strong>{instance}</strong>
          </span>
          <Badge tone={tone} icon={icon}>
            {runtimeStateOf(runtime)}
          </Badge>
          {runtime.version === null && <Badge icon={Layers}>Several projects</Badge>}
          {children}
          {Object.entries(labels).map(([name, value]) => (
            <span key={name} className="hint">
              {name}: <bdi>{value}</bdi>
            </span>
          ))}
          {Object.entries(plugins ?? {}).map(([name, { version }]) => (
            <span key={name} className="hint">
              {name} <bdi>{version}</bdi>
            </span>
          ))}
        </span>
        {error !== null && <pre className="last-error">{error}</pre>}
        {failed.length > 0 && failures}
      </div>
      <div className="hint">
        {runtime.version !== null && (
          <>
            Version <code title={runtime.version}>{runtime.version.slice(0, VERSION_SHOWN)}</code>{' '}
            <CopyButton text={runtime.version} what={`version of ${instance}`} />
            <br />
          </>
        )}
        Seen <Time at={runtime.last_seen_at} />, first seen <Time at={runtime.first_seen_at} />
      </div>
    </>
  );
}

function FailedRecords({
  at,
  runtime: { instance, failed },
}: {
  readonly at: FamilyRef;
  readonly runtime: Runtime;
}) {
  const { data } = useFamily(at);
  const names = new Map(data?.records.map((record) => [record.id, recordName(record)]));
  return (
    <ul className="stack" aria-label={`Records that ${instance} could not apply`}>
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
    <Empty icon={Server} guide="runtimes.md" title="No runtime has reported in the last 24 hours">
      <p>
        A runtime executes plugins: it reads their configurations, secrets included, and reports what it runs.
        Issue a key for it with the <code>plugin_runtime</code> scope:
      </p>
      <Command text={key} />
      <p>
        The <a href={`${SERVICE_URL}docs`}>API reference</a> has every field of its report.
      </p>
    </Empty>
  );
}
