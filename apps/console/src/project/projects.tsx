import { FolderPlus } from 'lucide-react';
import { Redirect } from 'wouter';
import { projectPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { Listing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Command } from '../ui/texts.tsx';
import { ProjectRow, useProjects } from './project-row.tsx';

/** The projects that the key may see. A single project is opened directly. */
export function Projects() {
  const list = useProjects();
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
        {(project) => <ProjectRow project={project} />}
      </Listing>
    </>
  );
}
