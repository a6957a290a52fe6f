import { Lock } from 'lucide-react';
import type { ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { useKey } from '../session/session.ts';
import {
  administrationPath,
  administrationScreens,
  type AdministrationPart,
} from '../shell/administration-screens.ts';
import { Heading, Tabs } from '../shell/heading.tsx';
import { Empty } from '../ui/states.tsx';
import { VersionPage } from '../versions/version-page.tsx';
import { Audit } from './audit.tsx';
import { Keys } from './keys.tsx';
import { PluginPage } from './plugin-form.tsx';
import { Plugins } from './plugins.tsx';
import { ProjectList } from './project-list.tsx';
import { Trusts } from './trusts.tsx';

const SCREENS: Readonly<Record<AdministrationPart, ComponentType>> = {
  plugins: Plugins,
  keys: Keys,
  trusts: Trusts,
  projects: ProjectList,
  audit: Audit,
};

/** The screens that do not belong to a single project. Shows only screens that the key may see. */
export function Administration({ path }: { readonly path: string }) {
  const screens = administrationScreens(useKey());
  return (
    <>
      <Heading title="Administration" />
      <Tabs
        label="Administration"
        tabs={screens.map(({ part, title }) => [administrationPath(part), title])}
        current={administrationPath(path.split('/')[0] ?? '')}
      />
      <Switch>
        {screens.map(({ part }) => (
          <Route key={part} path={administrationPath(part)} component={SCREENS[part]} />
        ))}
        <Route path="/administration/plugins/:id">{({ id }) => <PluginPage key={id} id={id} />}</Route>
        <Route path="/administration/plugins/:id/versions/:version">
          {({ id, version }) => <VersionPage key={version} plugin={Number(id)} version={version} />}
        </Route>
        <Route>
          <Empty icon={Lock} title="You may not open this page">
            <p>It needs the required scope for all projects.</p>
          </Empty>
        </Route>
      </Switch>
    </>
  );
}
