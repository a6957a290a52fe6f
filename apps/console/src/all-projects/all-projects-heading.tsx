import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useMayWrite } from '../session/session.ts';
import { allProjectsPath } from '../shell/addresses.ts';
import { Heading, Tabs } from '../shell/heading.tsx';

const TITLES: Readonly<Record<string, string>> = {
  incidents: 'Incidents',
  errors: 'Errors',
  runtimes: 'Runtimes',
  records: 'Records',
  alerts: 'Alerts',
  webhooks: 'Webhooks',
};

interface Properties {
  readonly part: string;
  readonly children?: ReactNode;
}

/** The title of a screen about all projects, with a tab for each. The tabs keep the chosen plugin. */
export function AllProjectsHeading({ part, children }: Properties) {
  const mayWrite = useMayWrite();
  const plugin = useSearchParams()[0].get('plugin');
  const end = plugin === null ? '' : `?plugin=${encodeURIComponent(plugin)}`;
  // URLs of webhooks often contain credentials.
  const tabs = Object.entries(TITLES).filter(([one]) => one !== 'webhooks' || mayWrite);
  return (
    <>
      <Heading title="All projects" pageTitle={`${TITLES[part] ?? 'Page not found'} · All projects`}>
        {children}
      </Heading>
      <Tabs
        label="All projects"
        tabs={tabs.map(([one, title]) => [allProjectsPath(one) + end, title])}
        current={allProjectsPath(part) + end}
      />
    </>
  );
}
