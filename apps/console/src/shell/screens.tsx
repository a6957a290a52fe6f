import { lazy, Suspense, type ReactNode } from 'react';
import { Link, Route, Switch } from 'wouter';
import { Pipeline } from '../pipeline/pipeline.tsx';
import { Projects } from '../project/projects.tsx';
import { RecordPage, TABS } from '../record/record-page.tsx';
import { Loading } from '../ui/loading.tsx';
import { Empty } from '../ui/empty.tsx';
import { familyRefOf, idOf, recordRefOf } from './addresses.ts';

const Administration = lazy(async () => ({
  default: (await import('../administration/administration.tsx')).Administration,
}));

const Documents = lazy(async () => ({ default: (await import('../documents/documents.tsx')).Documents }));
const Attach = lazy(async () => ({ default: (await import('../attach/attach.tsx')).Attach }));
const Runtimes = lazy(async () => ({ default: (await import('../runtimes/runtimes.tsx')).Runtimes }));
const FamilyActivity = lazy(async () => ({
  default: (await import('../history/family-activity.tsx')).FamilyActivity,
}));

/** Routes each address of the console to its screen. */
export function Screens() {
  return (
    <Suspense fallback={<Loading what="page" />}>
      <Switch>
        <Route path="/">
          <Projects />
        </Route>
        <Route path="/projects/:project/documents">
          {({ project }) => screenFor(idOf(project), (projectId) => <Documents projectId={projectId} />)}
        </Route>
        <Route path="/projects/:project/:family">
          {({ project, family }) => screenFor(familyRefOf(project, family), (at) => <Pipeline at={at} />)}
        </Route>
        <Route path="/projects/:project/:family/attach">
          {({ project, family }) => screenFor(familyRefOf(project, family), (at) => <Attach at={at} />)}
        </Route>
        <Route path="/projects/:project/:family/activity">
          {({ project, family }) =>
            screenFor(familyRefOf(project, family), (at) => <FamilyActivity at={at} />)
          }
        </Route>
        <Route path="/projects/:project/:family/runtimes">
          {({ project, family }) => screenFor(familyRefOf(project, family), (at) => <Runtimes at={at} />)}
        </Route>
        {TABS.map((tab) => (
          <Route key={tab.path} path={`/projects/:project/:family/:id${tab.path}` as const}>
            {({ project, family, id }) =>
              screenFor(recordRefOf(project, family, id ?? ''), (at) => <RecordPage at={at} tab={tab} />)
            }
          </Route>
        ))}
        <Route path="/administration/*">{({ '*': path }) => <Administration path={path} />}</Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** Renders the screen, or "not found" if the address is invalid. */
function screenFor<Ref>(ref: Ref | null, screen: (ref: Ref) => ReactNode): ReactNode {
  return ref === null ? <NotFound /> : screen(ref);
}

function NotFound() {
  return (
    <Empty title="Page not found">
      <p>
        The link may be wrong, or the item no longer exists. <Link href="/">Go to projects</Link>.
      </p>
    </Empty>
  );
}
