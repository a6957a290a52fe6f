import { lazy, Suspense, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { Pipeline } from '../pipeline/pipeline.tsx';
import { RecordPage, TABS } from '../record/record-page.tsx';
import { Loading } from '../ui/states.tsx';
import { familyRefOf, idOf, recordRefOf } from './addresses.ts';
import { NotFound } from './not-found.tsx';

const Administration = lazy(async () => ({
  default: (await import('../administration/administration.tsx')).Administration,
}));
const AllProjects = lazy(async () => ({
  default: (await import('../all-projects/all-projects.tsx')).AllProjects,
}));

const Projects = lazy(async () => ({ default: (await import('../project/projects.tsx')).Projects }));

const Alerts = lazy(async () => ({ default: (await import('../alerts/alerts.tsx')).Alerts }));
const Webhooks = lazy(async () => ({ default: (await import('../webhooks/webhooks.tsx')).Webhooks }));

/** The screens of a project, by the end of their address. */
const SCREENS_OF_PROJECT = {
  '': lazy(async () => ({ default: (await import('../overview/project-overview.tsx')).ProjectOverview })),
  '/documents': lazy(async () => ({ default: (await import('../documents/documents.tsx')).Documents })),
  '/dead-letters': lazy(async () => ({
    default: (await import('../log/dead-letters.tsx')).DeadLetters,
  })),
  '/incidents': lazy(async () => ({ default: (await import('../incidents/incidents.tsx')).Incidents })),
  '/alerts': Alerts,
  '/webhooks': Webhooks,
};

const AlertPage = lazy(async () => ({ default: (await import('../alerts/alert-page.tsx')).AlertPage }));
const WebhookPage = lazy(async () => ({
  default: (await import('../webhooks/webhook-page.tsx')).WebhookPage,
}));

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
        {Object.entries(SCREENS_OF_PROJECT).map(([path, Screen]) => (
          <Route key={path} path={`/projects/:project${path}` as const}>
            {({ project }) => screenFor(idOf(project ?? ''), (projectId) => <Screen projectId={projectId} />)}
          </Route>
        ))}
        <Route path="/projects/:project/alerts/:id">
          {({ project, id }) =>
            screenFor(idOf(project), (projectId) => <AlertPage key={id} projectId={projectId} id={id} />)
          }
        </Route>
        <Route path="/projects/:project/webhooks/:id">
          {({ project, id }) =>
            screenFor(idOf(project), (projectId) =>
              screenFor(idOf(id), (webhook) => <WebhookPage key={id} projectId={projectId} id={webhook} />),
            )
          }
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
        <Route path="/all/alerts">
          <Alerts projectId={null} />
        </Route>
        <Route path="/all/alerts/:id">{({ id }) => <AlertPage key={id} projectId={null} id={id} />}</Route>
        <Route path="/all/webhooks">
          <Webhooks projectId={null} />
        </Route>
        <Route path="/all/webhooks/:id">
          {({ id }) =>
            screenFor(idOf(id), (webhook) => <WebhookPage key={id} projectId={null} id={webhook} />)
          }
        </Route>
        <Route path="/all/:part">{({ part }) => <AllProjects part={part} />}</Route>
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
