import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import { SESSION_KEY, SIGNED_OUT, useKey } from '../session/session.ts';
import { Select } from '../ui/fields.tsx';
import { useChange, useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { FAMILIES, familyPath, idOf, type Family } from './addresses.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { service } from './service.ts';
import { chooseTheme, storedTheme, THEMES } from './theme.ts';

/** The header around each screen: navigation, theme and the signed-in key. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [address] = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  // Following a link closes the menu.
  useEffect(() => {
    if (address !== '') menu.current?.hidePopover();
  }, [address]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="frame">
        <Link href="/">
          <strong>Plugin console</strong>
        </Link>
        <button type="button" className="menu-button" popoverTarget="menu">
          Menu
        </button>
        <div ref={menu} id="menu" className="menu" popover="auto">
          <ProjectLinks />
          <nav aria-label="All projects">
            <Link
              href="/administration/plugins"
              aria-current={address.startsWith('/administration/') ? 'page' : undefined}
            >
              Administration
            </Link>
          </nav>
          <Account />
        </div>
      </header>
      <OfflineNote />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary address={address}>{children}</ErrorBoundary>
      </main>
    </>
  );
}

/** Projects are rarely renamed. */
const NAME_STALE_MS = 60_000;

function ProjectLinks() {
  const [, params] = useRoute('/projects/:project/:part/*?');
  const projectId = params === null ? null : idOf(params.project);
  const { data: project } = useRead(
    ['projects', 'one', projectId],
    async (options) => service.project(projectId ?? 0).retrieve(options),
    { enabled: projectId !== null, staleTime: NAME_STALE_MS },
  );
  if (projectId === null) return null;
  const current = (part: string) => (params?.part === part ? 'page' : undefined);
  return (
    <nav aria-label="Project">
      <span className="hint">{project?.name ?? `Project ${projectId}`}</span>
      {(Object.keys(FAMILIES) as readonly Family[]).map((family) => (
        <Link key={family} href={familyPath({ projectId, family })} aria-current={current(family)}>
          {FAMILIES[family]}
        </Link>
      ))}
      <Link href={`/projects/${projectId}/documents`} aria-current={current('documents')}>
        Documents
      </Link>
    </nav>
  );
}

function Account() {
  const { label } = useKey();
  const queries = useQueryClient();
  const [theme, setTheme] = useState(storedTheme);
  const choose = (next: string): void => {
    setTheme(next);
    chooseTheme(next);
  };
  const signOut = useChange(async () => service.session.end(), {
    affects: SESSION_KEY,
    onSuccess: () => queries.setQueryData(SESSION_KEY, SIGNED_OUT),
  });
  return (
    <div className="account">
      <Select label="Theme" value={theme} options={Object.entries(THEMES)} onChange={choose} />
      <bdi className="hint">{label}</bdi>
      <button type="button" onClick={() => signOut.mutate()} disabled={signOut.isPending}>
        Sign out
      </button>
      <ErrorNote error={signOut.error} />
    </div>
  );
}

/** Shown while the browser has no network. */
function OfflineNote() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return (
    <div role="status">
      {!isOnline && (
        <p className="offline">
          You are offline. Data may be out of date, and changes cannot be saved until you reconnect.
        </p>
      )}
    </div>
  );
}
