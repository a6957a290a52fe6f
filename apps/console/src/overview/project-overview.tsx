import type { Overview } from '@plugin-config/client';
import { CircleCheck, Plug, Plus, TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { ACTIVITIES } from '../history/activity-item.tsx';
import { IncidentRow } from '../incidents/incident-list.tsx';
import { RecordLink } from '../record/record-link.tsx';
import { useMayWrite } from '../session/session.ts';
import { FAMILIES, familyPath, projectPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { formatCount } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { ActorName, Time } from '../ui/texts.tsx';
import { barsOf, dayBeforeText, concernsOf, runtimesPathOf, successText } from './overview-figures.ts';
import './overview.css';

/** Most of it doesn't change records, so the stream doesn't send it. */
const REFRESH_MS = 15_000;

interface Properties {
  readonly projectId: number;
}

/** Whether everything in a project is all right, and what changed. */
export function ProjectOverview({ projectId }: Properties) {
  const query = useRead(
    ['overview', projectId],
    async (options) => service.project(projectId).overview(options),
    { refetchInterval: REFRESH_MS },
  );
  return (
    <>
      <Heading title="Overview" />
      <QueryResult query={query} what="overview">
        {(overview) =>
          overview.families.every(({ enabled, disabled }) => enabled + disabled === 0) ? (
            <NothingAttached projectId={projectId} />
          ) : (
            <div className="stack">
              <Concerns projectId={projectId} overview={overview} />
              <Tiles projectId={projectId} overview={overview} />
              <div className="columns">
                <div className="stack">
                  <OpenIncidents projectId={projectId} overview={overview} />
                  <Errors projectId={projectId} overview={overview} />
                </div>
                <Changes projectId={projectId} overview={overview} />
              </div>
            </div>
          )
        }
      </QueryResult>
    </>
  );
}

function NothingAttached({ projectId }: Properties) {
  const mayWrite = useMayWrite();
  return (
    <Empty icon={Plug} title="No plugins attached yet">
      <p>Once plugins run, this page shows whether they deliver, what fails, and who changed what.</p>
      {mayWrite && (
        <Link
          href={`${familyPath({ projectId, family: 'plugin_configs' })}/attach`}
          className="button primary"
        >
          <Plus />
          Attach your first plugin
        </Link>
      )}
    </Empty>
  );
}

interface PartProperties extends Properties {
  readonly overview: Overview;
}

/** The answer to "is everything all right?". */
function Concerns({ projectId, overview }: PartProperties) {
  const concerns = concernsOf(overview, projectId);
  if (concerns.length === 0) {
    return (
      <p className="concerns good">
        <CircleCheck />
        <strong>Everything is all right</strong>
      </p>
    );
  }
  return (
    <p className="concerns bad">
      <TriangleAlert />
      {concerns.map(({ text, href }, index) => (
        <Fragment key={text}>
          {index > 0 && <span aria-hidden="true">·</span>}
          <Link href={href}>{text}</Link>
        </Fragment>
      ))}
    </p>
  );
}

function Tiles({ projectId, overview: { families, runtimes, deliveries } }: PartProperties) {
  const runtimesPath = runtimesPathOf(projectId);
  const pluginsPath = familyPath({ projectId, family: 'plugin_configs' });
  return (
    <div className="tiles">
      {families.map(({ family, enabled, disabled, failing }) => {
        const path = familyPath({ projectId, family });
        return (
          <Tile
            key={family}
            title={FAMILIES[family]}
            href={`${path}?enabled=true`}
            count={enabled}
            unit="enabled"
          >
            <Link href={`${path}?errors=true`} className={failing > 0 ? 'bad' : ''}>
              {formatCount(failing)} failing
            </Link>
            <Link href={`${path}?enabled=false`}>{formatCount(disabled)} disabled</Link>
          </Tile>
        );
      })}
      <Tile title="Runtimes" href={runtimesPath} count={runtimes.online} unit="online">
        <Link href={runtimesPath} className={runtimes.behind > 0 ? 'warn' : ''}>
          {formatCount(runtimes.behind)} behind
        </Link>
        <Link href={runtimesPath} className={runtimes.failed > 0 ? 'bad' : ''}>
          {formatCount(runtimes.failed)} failed
        </Link>
      </Tile>
      {deliveries === null ? (
        <Panel title="Deliveries, 24 hours">
          <p className="hint">There are too many to add up in time.</p>
        </Panel>
      ) : (
        <Tile
          title="Deliveries, 24 hours"
          href={pluginsPath}
          count={deliveries.last_24h.successes}
          unit="succeeded"
        >
          <span className="hint">{successText(deliveries.last_24h)}</span>
          <Link href={pluginsPath} className={deliveries.last_24h.failures > 0 ? 'bad' : ''}>
            {formatCount(deliveries.last_24h.failures)} failed
          </Link>
          <span className="hint">{dayBeforeText(deliveries.previous_24h)}</span>
        </Tile>
      )}
    </div>
  );
}

interface TileProperties {
  readonly title: string;
  /** The list of what is counted. */
  readonly href: string;
  readonly count: number;
  readonly unit: string;
  readonly children: ReactNode;
}

function Tile({ title, href, count, unit, children }: TileProperties) {
  return (
    <section className="panel tile" aria-label={title}>
      <h2>{title}</h2>
      <Link href={href} className="main">
        <strong>{formatCount(count)}</strong> {unit}
      </Link>
      <div className="others">{children}</div>
    </section>
  );
}

const HOUR = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The errors in the logs, a bar for each hour. */
function Errors({ projectId, overview: { errors } }: PartProperties) {
  const bars = barsOf(errors);
  const all = errors.reduce((sum, { count }) => sum + count, 0);
  const path = familyPath({ projectId, family: 'plugin_configs' });
  return (
    <Panel title="Errors in the logs" link={[path, 'Plugins']}>
      <p>
        <strong>{formatCount(all)}</strong> in the last 24 hours
      </p>
      <ol className="bars error-bars" aria-label="Errors by hour">
        {bars.map(({ start, count, share }) => (
          <li key={start} title={`${HOUR.format(start)}: ${formatCount(count)}`}>
            <span data-type={count > 0 ? 'ERROR' : ''} style={{ height: `${100 * share}%` }} />
            <small className="unseen">
              {HOUR.format(start)}: {formatCount(count)}
            </small>
          </li>
        ))}
      </ol>
      <p className="bar-ends hint" aria-hidden="true">
        <span>24 hours ago</span>
        <span>now</span>
      </p>
    </Panel>
  );
}

function Changes({ projectId, overview: { changes } }: PartProperties) {
  const path = familyPath({ projectId, family: 'plugin_configs' });
  return (
    <Panel title="Latest changes" link={[`${path}/activity`, 'History']}>
      {changes.length === 0 ? (
        <p className="hint">Nothing has changed yet.</p>
      ) : (
        <ol className="rows recent">
          {changes.map(({ id, family, record, activity, actor, created_at: createdAt }) => (
            <li key={id}>
              <span>
                <ActorName actor={actor} /> {ACTIVITIES[activity]}{' '}
                <RecordLink at={{ projectId, family, id: record }} screen="/history" />
              </span>
              <span className="hint">
                <Time at={createdAt} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function OpenIncidents({ projectId, overview: { incidents } }: PartProperties) {
  const { open, newest } = incidents;
  const path = `${projectPath(projectId)}/incidents`;
  return (
    <Panel
      title="Open incidents"
      link={[path, open > newest.length ? `All ${formatCount(open)}` : 'Incidents']}
    >
      {newest.length === 0 ? (
        <p className="with-icon hint">
          <CircleCheck className="good" />
          No open incidents.
        </p>
      ) : (
        <ol className="rows incidents">
          {newest.map((incident) => (
            <li key={incident.id}>
              <IncidentRow projectId={projectId} incident={incident} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
