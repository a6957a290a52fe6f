import { Link, Redirect } from 'wouter';
import { familyPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';

/** The projects that the key may see. A single project is opened directly. */
export function Projects() {
  const list = useListing(['projects', 'all'], async (range, options) =>
    service.projects(range, options).page(),
  );
  const [only, second] = list.items ?? [];
  if (only !== undefined && second === undefined) {
    return <Redirect replace to={familyPath({ projectId: only.id, family: 'plugin_configs' })} />;
  }
  return (
    <>
      <Heading title="Projects" />
      <Listing
        list={list}
        what="projects"
        empty={
          <Empty title="No projects yet">
            <p>
              Create one: <code>npm run cli -- project create --name "My project"</code>
            </p>
          </Empty>
        }
      >
        {({ id, name, created_at: createdAt }) => (
          <>
            <Link href={familyPath({ projectId: id, family: 'plugin_configs' })}>
              <bdi>{name}</bdi>
            </Link>
            <span className="hint">
              Project {id}, created <Time at={createdAt} />
            </span>
          </>
        )}
      </Listing>
    </>
  );
}
