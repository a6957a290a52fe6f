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

/** Each address of the console and its screen. */
export function Screens() {
  return (
    <Suspense fallback={<Loading what="the page" />}>
      <Switch>
        <Route path="/">
          <Projects />
        </Route>
        <Route path="/projects/:project/documents">
          {({ project }) => shown(idOf(project), (projectId) => <Documents projectId={projectId} />)}
        </Route>
        <Route path="/projects/:project/:family">
          {({ project, family }) => shown(familyRefOf(project, family), (at) => <Pipeline at={at} />)}
        </Route>
        <Route path="/projects/:project/:family/attach">
          {({ project, family }) => shown(familyRefOf(project, family), (at) => <Attach at={at} />)}
        </Route>
        <Route path="/projects/:project/:family/activity">
          {({ project, family }) => shown(familyRefOf(project, family), (at) => <FamilyActivity at={at} />)}
        </Route>
        <Route path="/projects/:project/:family/runtimes">
          {({ project, family }) => shown(familyRefOf(project, family), (at) => <Runtimes at={at} />)}
        </Route>
        {TABS.map((tab) => (
          <Route key={tab.path} path={`/projects/:project/:family/:id${tab.path}` as const}>
            {({ project, family, id }) =>
              shown(recordRefOf(project, family, id ?? ''), (at) => <RecordPage at={at} tab={tab} />)
            }
          </Route>
        ))}
        <Route path="/administration/*">{({ '*': part }) => <Administration part={part} />}</Route>
        <Route>
          <NotHere />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** The screen of what an address names. */
function shown<Ref>(ref: Ref | null, screen: (ref: Ref) => ReactNode): ReactNode {
  return ref === null ? <NotHere /> : screen(ref);
}

function NotHere() {
  return (
    <Empty title="There is no such page">
      <p>
        The address is wrong, or what it named has gone. <Link href="/">Go to the projects</Link>.
      </p>
    </Empty>
  );
}
