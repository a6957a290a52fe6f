import { Compass } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { Link, Route, Switch } from 'wouter';
import { Pipeline } from '../pipeline/pipeline.tsx';
import { Projects } from '../project/projects.tsx';
import { RecordPage, TABS } from '../record/record-page.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { familyRefOf, idOf, recordRefOf } from './addresses.ts';

const Administration = lazy(async () => ({
  default: (await import('../administration/administration.tsx')).Administration,
}));

const Documents = lazy(async () => ({ default: (await import('../documents/documents.tsx')).Documents }));

/** The screens of a family, by the end of their address. */
const FAMILY_SCREENS = {
  '': Pipeline,
  '/attach': lazy(async () => ({ default: (await import('../attach/attach.tsx')).Attach })),
  '/activity': lazy(async () => ({
    default: (await import('../history/family-activity.tsx')).FamilyActivity,
  })),
  '/runtimes': lazy(async () => ({ default: (await import('../runtimes/runtimes.tsx')).Runtimes })),
};

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
        {Object.entries(FAMILY_SCREENS).map(([path, Screen]) => (
          <Route key={path} path={`/projects/:project/:family${path}` as const}>
            {({ project, family }) =>
              screenFor(familyRefOf(project, family ?? ''), (at) => <Screen at={at} />)
            }
          </Route>
        ))}
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
    <Empty icon={Compass} title="Page not found">
      <p>The link may be wrong, or the item no longer exists.</p>
      <Link href="/" className="button">
        Go to projects
      </Link>
    </Empty>
  );
}
