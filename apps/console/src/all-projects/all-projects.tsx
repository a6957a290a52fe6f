import { Compass, Lock } from 'lucide-react';
import type { ComponentType } from 'react';
import { IncidentList } from '../incidents/incidents.tsx';
import { PluginSelect } from '../record/plugin-select.tsx';
import { mayEverywhere, useKey } from '../session/session.ts';
import { idOf } from '../shell/addresses.ts';
import { Empty } from '../ui/states.tsx';
import { useParameter } from '../ui/use-parameter.ts';
import { AllErrors } from './all-errors.tsx';
import { AllRecords } from './all-records.tsx';
import { AllProjectsHeading } from './all-projects-heading.tsx';
import { AllRuntimes } from './all-runtimes.tsx';
import type { ListProperties } from './list-properties.ts';

const LISTS: Readonly<Record<string, ComponentType<ListProperties>>> = {
  incidents: IncidentList,
  errors: AllErrors,
  runtimes: AllRuntimes,
  records: AllRecords,
};

/** What happens in all projects, or with one plugin in all projects. The address holds the plugin. */
export function AllProjects({ part }: { readonly part: string }) {
  const isAllowed = mayEverywhere(useKey(), 'plugin:read');
  const [chosen, choose] = useParameter('plugin');
  const plugin = idOf(chosen);
  const List = LISTS[part] ?? null;
  return (
    <>
      <AllProjectsHeading part={part} />
      {List === null ? (
        <Empty icon={Compass} title="There is nothing at this address" />
      ) : isAllowed ? (
        <>
          <search className="toolbar">
            <PluginSelect plugin={String(plugin ?? '')} onChange={choose} />
          </search>
          <List key={plugin} filter={plugin === null ? {} : { plugin }} />
        </>
      ) : (
        <Empty icon={Lock} title="You may not open this page">
          <p>It needs the right to read all projects.</p>
        </Empty>
      )}
    </>
  );
}
