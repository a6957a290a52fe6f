import type { Project } from '@plugin-config/client';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { projectPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { SearchField } from '../ui/fields.tsx';
import { Mark } from '../ui/mark.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

/** The projects that the key may see, by the search in the address. */
export function useProjects() {
  const [query, setQuery] = useSearchParams();
  const typed = query.get('search') ?? '';
  const search = useDebounced(typed.trim());
  const list = useListing(['projects', 'list', search], async (range, options) =>
    service.projects({ ...range, ...(search !== '' && { search }) }, options).page(),
  );
  return {
    list,
    search,
    typed,
    onSearch: (text: string) => setQuery(text === '' ? {} : { search: text }, { replace: typed !== '' }),
  };
}

interface ListProperties {
  readonly found: ReturnType<typeof useProjects>;
  /** Next to the search. */
  readonly actions?: ReactNode;
  /** Shown if there are no projects. */
  readonly empty: ReactNode;
  /** What can be done with a project. */
  readonly children?: (project: Project) => ReactNode;
}

/** Projects with a link to each, and a search for their names and external ids. */
export function ProjectListing({ found, actions, empty, children }: ListProperties) {
  return (
    <>
      <search className="toolbar">
        <SearchField label="Name or external ID" value={found.typed} onChange={found.onSearch} />
        {actions}
      </search>
      <Listing
        list={found.list}
        what="projects"
        empty={found.search === '' ? empty : <Empty icon={SearchX} title="No matching projects" />}
      >
        {(project) => <ProjectRow project={project}>{children?.(project)}</ProjectRow>}
      </Listing>
    </>
  );
}

interface Properties {
  readonly project: Project;
  readonly children: ReactNode;
}

function ProjectRow({ project, children }: Properties) {
  const { id, name, external_id: externalId, created_at: createdAt } = project;
  return (
    <>
      <span className="with-icon">
        <Mark name={name} seed={id} />
        <Link href={projectPath(id)}>
          <bdi>{name}</bdi>
        </Link>
      </span>
      <span className="hint actions">
        <span>
          {externalId !== null && (
            <>
              <code>{externalId}</code> ·{' '}
            </>
          )}
          Project {id}, created <Time at={createdAt} />
        </span>
        {children}
      </span>
    </>
  );
}
