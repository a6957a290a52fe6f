import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { familyPath, recordPath, recordRefOf, type FamilyRef } from '../shell/addresses.ts';
import { ErrorBoundary } from '../shell/error-boundary.tsx';
import { Loading } from '../ui/states.tsx';
import { EMBED_TABS, EmbedRecord } from './embed-record.tsx';
import { EmbedList } from './embed-list.tsx';

/** Routes each address of the embedded page to its screen. */
export function EmbedScreens({ projectId }: { readonly projectId: number }) {
  const [address] = useLocation();
  const family: FamilyRef = { projectId, family: 'plugin_configs' };
  const list = familyPath(family);
  return (
    <main id="main">
      <ErrorBoundary address={address}>
        <Suspense fallback={<Loading what="page" />}>
          <Switch>
            <Route path={list}>
              <EmbedList at={family} />
            </Route>
            {EMBED_TABS.map((tab) => (
              <Route key={tab.path} path={`${list}/:id${tab.path}` as const}>
                {({ id }) => {
                  const at = recordRefOf(String(projectId), family.family, id ?? '');
                  return at === null ? <Redirect replace to={list} /> : <EmbedRecord at={at} tab={tab} />;
                }}
              </Route>
            ))}
            <Route path={`${list}/:id` as const}>
              {({ id }) => (
                <Redirect replace to={`${recordPath({ ...family, id: Number(id) })}${EMBED_TABS[0].path}`} />
              )}
            </Route>
            <Route>
              <Redirect replace to={list} />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
