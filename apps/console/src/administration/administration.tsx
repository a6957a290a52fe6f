import type { OwnApiKey } from '@plugin-config/client';
import { Lock } from 'lucide-react';
import type { ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { may, mayEverywhere, useKey } from '../session/session.ts';
import { Heading, Tabs } from '../shell/heading.tsx';
import { Empty } from '../ui/states.tsx';
import { Audit } from './audit.tsx';
import { Keys } from './keys.tsx';
import { PluginPage } from './plugin-form.tsx';
import { Plugins } from './plugins.tsx';
import { ProjectList } from './project-list.tsx';

interface Tab {
  readonly path: string;
  readonly title: string;
  readonly Screen: ComponentType;
  readonly isAllowed: (key: OwnApiKey) => boolean;
}

const TABS: readonly Tab[] = [
  { path: 'plugins', title: 'Plugins', Screen: Plugins, isAllowed: (key) => may(key, 'plugin:read') },
  { path: 'keys', title: 'Keys', Screen: Keys, isAllowed: (key) => may(key, 'key:write') },
  {
    path: 'projects',
    title: 'Projects',
    Screen: ProjectList,
    isAllowed: (key) => mayEverywhere(key, 'project:write'),
  },
  { path: 'audit', title: 'Audit log', Screen: Audit, isAllowed: (key) => mayEverywhere(key, '*') },
];

const pathOf = (path: string) => `/administration/${path}` as const;

/** The screens that do not belong to a single project. Shows those that the key may see. */
export function Administration({ path: current }: { readonly path: string }) {
  const key = useKey();
  const tabs = TABS.filter(({ isAllowed }) => isAllowed(key));
  return (
    <>
      <Heading title="Administration" />
      <Tabs
        label="Administration"
        tabs={tabs.map(({ path, title }) => [pathOf(path), title])}
        current={pathOf(current.split('/')[0] ?? '')}
      />
      <Switch>
        {tabs.map(({ path, Screen }) => (
          <Route key={path} path={pathOf(path)}>
            <Screen />
          </Route>
        ))}
        <Route path="/administration/plugins/:id">{({ id }) => <PluginPage key={id} id={id} />}</Route>
        <Route>
          <Empty icon={Lock} title="Your key cannot open this page">
            <p>Sign in with a key that has the required scope for all projects.</p>
          </Empty>
        </Route>
      </Switch>
    </>
  );
}
