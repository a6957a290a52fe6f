import { CircleCheck } from 'lucide-react';
import { RecordLink } from '../record/record-link.tsx';
import { service } from '../shell/service.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import type { ListProperties } from './list-properties.ts';
import { ProjectLink } from './project-link.tsx';

const REFRESH_MS = 60_000;

/** The last errors of the records of all projects, most recent first. */
export function AllErrors({ filter }: ListProperties) {
  const list = useListing(
    ['all', 'errors', filter],
    async ({ limit, after }, options) => {
      const query = { limit, ...(after !== undefined && { after }), ...filter };
      const page = await service.errors(query, options).page();
      return { ...page, results: page.results.map((error) => ({ ...error, id: error.record.id })) };
    },
    () => REFRESH_MS,
  );
  return (
    <Listing
      list={list}
      what="errors"
      empty={
        <Empty icon={CircleCheck} title="No errors">
          <p>The last error of a plugin is listed until it reports another one or recovers.</p>
        </Empty>
      }
    >
      {({ project, family, record, plugin: { id, name }, error, reported_at: reportedAt }) => (
        <>
          <div className="stack">
            <span className="actions">
              <RecordLink at={{ projectId: project.id, family, id: record.id }} name={record.name} />
              <ProjectLink project={project} />
              <span className="hint">{name ?? `Plugin ${id}`}</span>
            </span>
            <pre className="last-error">{error}</pre>
          </div>
          <span className="hint">
            <Time at={reportedAt} />
          </span>
        </>
      )}
    </Listing>
  );
}
