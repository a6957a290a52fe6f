import { FolderPlus } from 'lucide-react';
import { Redirect } from 'wouter';
import { projectPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { Empty } from '../ui/states.tsx';
import { Command } from '../ui/texts.tsx';
import { ProjectListing, useProjects } from './project-listing.tsx';

/** The projects that the key may see. A single project is opened directly. */
export function Projects() {
  const found = useProjects();
  const [only, second] = found.list.items ?? [];
  if (only !== undefined && second === undefined && found.typed + found.search === '') {
    return <Redirect replace to={projectPath(only.id)} />;
  }
  return (
    <>
      <Heading title="Projects" />
      <ProjectListing
        found={found}
        empty={
          <Empty icon={FolderPlus} guide="tour.md" title="No projects yet">
            <p>A project has its own plugins, keys, logs and history. Create the first one:</p>
            <Command text='npm run cli -- project create --name "My project"' />
          </Empty>
        }
      />
    </>
  );
}
