import type { ReactNode } from 'react';
import { Link, Route, Switch } from 'wouter';
import type { OwnApiKey } from '@plugin-config/client';
import { may, mayEverywhere } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { Empty } from '../ui/empty.tsx';
import { Title } from '../ui/title.tsx';
import { Audit } from './audit/audit.tsx';
import { Keys } from './keys/keys.tsx';
import { PluginPage } from './plugins/plugin-page.tsx';
import { Plugins } from './plugins/plugins.tsx';
import { ProjectList } from './projects/project-list.tsx';
import './administration.css';

interface Tab {
  readonly path: string;
  readonly title: string;
  readonly isAllowed: (key: OwnApiKey) => boolean;
  readonly screen: () => ReactNode;
}

const TABS: readonly Tab[] = [
  {
    path: 'plugins',
    title: 'Plugins',
    isAllowed: (key) => may(key, 'plugin:read'),
    screen: () => <Plugins />,
  },
  { path: 'keys', title: 'Keys', isAllowed: (key) => may(key, 'key:write'), screen: () => <Keys /> },
  {
    path: 'projects',
    title: 'Projects',
    isAllowed: (key) => mayEverywhere(key, 'project:write'),
    screen: () => <ProjectList />,
  },
  { path: 'audit', title: 'Audit log', isAllowed: (key) => mayEverywhere(key, '*'), screen: () => <Audit /> },
];

/** The screens that do not belong to a single project. Shows those that the key may see. */
export function Administration({ path: current }: { readonly path: string }) {
  const key = useKey();
  const tabs = TABS.filter(({ isAllowed }) => isAllowed(key));
  return (
    <>
      <Title>Administration</Title>
      <h1>Administration</h1>
      <nav aria-label="Administration" className="tabs">
        {tabs.map(({ path, title }) => (
          <Link
            key={path}
            href={`/administration/${path}`}
            aria-current={current.split('/')[0] === path ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Switch>
        {tabs.map(({ path, screen }) => (
          <Route key={path} path={`/administration/${path}` as const}>
            {screen()}
          </Route>
        ))}
        <Route path="/administration/plugins/:id">{({ id }) => <PluginPage key={id} id={id} />}</Route>
        <Route>
          <Empty title="Your key cannot open this page">
            <p>Sign in with a key that has the required scope for all projects.</p>
          </Empty>
        </Route>
      </Switch>
    </>
  );
}
