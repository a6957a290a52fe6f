import type { Project } from '@plugin-config/client';
import { useQuery } from '@tanstack/react-query';
import { Link, Redirect } from 'wouter';
import { familyPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { Empty } from '../ui/empty.tsx';
import { QueryResult } from '../ui/query-result.tsx';
import { Time } from '../ui/time.tsx';
import { Title } from '../ui/title.tsx';

const LIMIT = 1000;

/** The projects that the key may see. A single project is opened directly. */
export function Projects() {
  const query = useQuery({
    queryKey: ['projects'],
    queryFn: async ({ signal }) => service.projects({ limit: LIMIT }, { signal }).page(),
  });
  return (
    <QueryResult query={query} what="projects">
      {({ results }) => <ProjectsFound projects={results} />}
    </QueryResult>
  );
}

function ProjectsFound({ projects }: { readonly projects: readonly Project[] }) {
  const [first, second] = projects;
  if (first !== undefined && second === undefined) {
    return <Redirect replace to={familyPath({ projectId: first.id, family: 'plugin_configs' })} />;
  }
  return (
    <>
      <Title>Projects</Title>
      <h1>Projects</h1>
      {first === undefined ? (
        <Empty title="No projects yet">
          <p>
            Create one: <code>npm run cli -- project create --name "My project"</code>
          </p>
        </Empty>
      ) : (
        <ul className="rows">
          {projects.map(({ id, name, created_at }) => (
            <li key={id}>
              <Link href={familyPath({ projectId: id, family: 'plugin_configs' })}>
                <bdi>{name}</bdi>
              </Link>
              <span className="hint">
                Project {id}, created <Time at={created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
