import { FolderPlus } from 'lucide-react';
import { Link, Redirect } from 'wouter';
import { projectPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { Mark } from '../ui/mark.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Command, Time } from '../ui/texts.tsx';

/** The projects that the key may see. A single project is opened directly. */
export function Projects() {
  const list = useListing(['projects', 'all'], async (range, options) =>
    service.projects(range, options).page(),
  );
  const [only, second] = list.items ?? [];
  if (only !== undefined && second === undefined) {
    return <Redirect replace to={projectPath(only.id)} />;
  }
  return (
    <>
      <Heading title="Projects" />
      <Listing
        list={list}
        what="projects"
        empty={
          <Empty icon={FolderPlus} guide="tour.md" title="No projects yet">
            <p>A project has its own plugins, keys, logs and history. Create the first one:</p>
            <Command text='npm run cli -- project create --name "My project"' />
          </Empty>
        }
      >
        {({ id, name, created_at: createdAt }) => (
          <>
            <span className="with-icon">
              <Mark name={name} seed={id} />
              <Link href={projectPath(id)}>
                <bdi>{name}</bdi>
              </Link>
            </span>
            <span className="hint">
              Project {id}, created <Time at={createdAt} />
            </span>
          </>
        )}
      </Listing>
    </>
  );
}
