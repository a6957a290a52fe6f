import { Server } from 'lucide-react';
import { Link } from 'wouter';
import { RuntimeRow } from '../runtimes/runtimes.tsx';
import { FAMILIES, familyPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { formatCount } from '../ui/format.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import type { ListProperties } from './list-properties.ts';
import { ProjectLink } from './project-link.tsx';

const REFRESH_MS = 15_000;

/** The runtimes of all projects. */
export function AllRuntimes({ filter }: ListProperties) {
  const list = useListing(
    ['all', 'runtimes', filter],
    async ({ limit, offset }, options) => {
      const page = await service.runtimes.list({ limit, offset, ...filter }, options).page();
      const results = page.results.map((runtime) => ({
        ...runtime,
        id: `${runtime.project?.id ?? 'host'} ${runtime.family} ${runtime.instance}`,
      }));
      return { ...page, results };
    },
    () => REFRESH_MS,
  );
  return (
    <Listing
      list={list}
      what="runtimes"
      className="rows runtimes"
      empty={
        <Empty icon={Server} guide="runtimes.md" title="No runtime has reported in the last 24 hours">
          <p>A runtime executes plugins: it reads their configurations, and reports what it runs.</p>
        </Empty>
      }
    >
      {(runtime) => {
        const { project, family, failed } = runtime;
        const failures = `${formatCount(failed.length)} failed records`;
        if (project === null)
          return (
            <RuntimeRow runtime={runtime} failures={failures}>
              <span>Several projects</span>
              <span>{FAMILIES[family]}</span>
            </RuntimeRow>
          );
        const path = `${familyPath({ projectId: project.id, family })}/runtimes`;
        return (
          <RuntimeRow runtime={runtime} failures={<Link href={path}>{failures}</Link>}>
            <ProjectLink project={project} />
            <Link href={path}>{FAMILIES[family]}</Link>
          </RuntimeRow>
        );
      }}
    </Listing>
  );
}
