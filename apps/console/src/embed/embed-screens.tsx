import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { familyPath, recordPath, recordRefOf, shownFamilies, type FamilyRef } from '../shell/addresses.ts';
import { ErrorBoundary } from '../shell/error-boundary.tsx';
import { Loading } from '../ui/states.tsx';
import { EMBED_TABS, EmbedRecord } from './embed-record.tsx';
import { EmbedList } from './embed-list.tsx';

/** Routes each address of the embedded page to its screen. */
export function EmbedScreens({ projectId }: { readonly projectId: number }) {
  const [address] = useLocation();
  const families = shownFamilies().map((family): FamilyRef => ({ projectId, family }));
  const list = familyPath({ projectId, family: 'plugin_configs' });
  return (
    <main id="main">
      <ErrorBoundary address={address}>
        <Suspense fallback={<Loading what="page" />}>
          <Switch>
            {families.map((at) => (
              <Route key={at.family} path={familyPath(at)}>
                <EmbedList at={at} />
              </Route>
            ))}
            {families.flatMap((family) =>
              EMBED_TABS.map((tab) => (
                <Route
                  key={family.family + tab.path}
                  path={`/projects/${projectId}/${family.family}/:id${tab.path}` as const}
                >
                  {({ id }) => {
                    const at = recordRefOf(String(projectId), family.family, id ?? '');
                    return at === null ? <Redirect replace to={list} /> : <EmbedRecord at={at} tab={tab} />;
                  }}
                </Route>
              )),
            )}
            {families.map((family) => (
              <Route key={family.family} path={`/projects/${projectId}/${family.family}/:id` as const}>
                {({ id }) => (
                  <Redirect
                    replace
                    to={`${recordPath({ ...family, id: Number(id) })}${EMBED_TABS[0].path}`}
                  />
                )}
              </Route>
            ))}
            <Route>
              <Redirect replace to={list} />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
