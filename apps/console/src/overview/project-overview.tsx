import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Fragment } from 'react';
import { Link, Redirect } from 'wouter';
import { NothingAttached } from '../pipeline/pipeline.tsx';
import { useMayRead } from '../session/session.ts';
import { familyPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { ErrorChart } from './error-chart.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { OpenIncidents } from './open-incidents.tsx';
import { concernsOf, type OverviewProperties } from './overview-figures.ts';
import { Tiles } from './tiles.tsx';
import './overview.css';

/** Most of it doesn't change records, so the stream doesn't send it. */
const REFRESH_MS = 15_000;

interface Properties {
  readonly projectId: number;
}

/** Whether everything in a project is all right, and what changed. */
export function ProjectOverview({ projectId }: Properties) {
  return useMayRead(projectId) ? (
    <ReadableOverview projectId={projectId} />
  ) : (
    <Redirect replace to={familyPath({ projectId, family: 'plugin_configs' })} />
  );
}

function ReadableOverview({ projectId }: Properties) {
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
            <NothingAttached at={{ projectId, family: 'plugin_configs' }}>
              Once plugins run, this page shows whether they deliver, what fails, and who changed what.
            </NothingAttached>
          ) : (
            <div className="stack">
              <Concerns projectId={projectId} overview={overview} />
              <Tiles projectId={projectId} overview={overview} />
              <div className="columns">
                <div className="stack">
                  <OpenIncidents projectId={projectId} overview={overview} />
                  <ErrorChart projectId={projectId} overview={overview} />
                </div>
                <LatestChanges projectId={projectId} overview={overview} />
              </div>
            </div>
          )
        }
      </QueryResult>
    </>
  );
}

/** Says whether everything is all right. */
function Concerns({ projectId, overview }: OverviewProperties) {
  const concerns = concernsOf(overview, projectId);
  if (concerns.length === 0) {
    return (
      <p className="note good">
        <CircleCheck />
        <strong>Everything is all right</strong>
      </p>
    );
  }
  return (
    <p className="note bad">
      <TriangleAlert />
      <strong>
        {concerns.map(({ text, href }, index) => (
          <Fragment key={text}>
            {index > 0 && <span aria-hidden="true"> · </span>}
            <Link href={href}>{text}</Link>
          </Fragment>
        ))}
      </strong>
    </p>
  );
}
