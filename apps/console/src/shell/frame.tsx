import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import { SESSION_KEY, SIGNED_OUT, useKey } from '../session/session.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { FAMILIES, familyPath, idOf, type Family } from './addresses.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { service } from './service.ts';
import { storeTheme, storedTheme, THEMES, type Theme } from './theme.ts';

const MENU = 'menu';

/** The header around each screen: navigation, theme and the signed-in key. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [address] = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const controller = new AbortController();
    const closeOnLink = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('a') !== null) menu.current?.hidePopover();
    };
    menu.current?.addEventListener('click', closeOnLink, { signal: controller.signal });
    return () => controller.abort();
  }, []);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="frame">
        <Link href="/" className="brand">
          Plugin console
        </Link>
        <button type="button" className="menu-button" popoverTarget={MENU}>
          Menu
        </button>
        <div ref={menu} id={MENU} className="menu" popover="auto">
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
  const { data: project } = useQuery({
    queryKey: ['projects', 'one', projectId],
    queryFn: async ({ signal }) => service.project(projectId ?? 0).retrieve({ signal }),
    enabled: projectId !== null,
    staleTime: NAME_STALE_MS,
  });
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
  const signOut = useMutation({
    mutationFn: async () => service.session.end(),
    onSuccess: async () => {
      await queries.cancelQueries({ queryKey: SESSION_KEY });
      queries.setQueryData(SESSION_KEY, SIGNED_OUT);
    },
  });
  return (
    <div className="account">
      <label>
        <span>Theme</span>
        <select
          value={theme}
          onChange={({ target }) => {
            const chosen = target.value as Theme;
            storeTheme(chosen);
            setTheme(chosen);
          }}
        >
          {THEMES.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <bdi className="key-label">{label}</bdi>
      <button type="button" onClick={() => signOut.mutate()} disabled={signOut.isPending}>
        Sign out
      </button>
      {signOut.error !== null && <ErrorNote error={signOut.error} />}
    </div>
  );
}

/** Shown while the browser has no network. */
function OfflineNote() {
  const isOnline = useSyncExternalStore(onChange, () => navigator.onLine);
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

function onChange(listener: () => void): () => void {
  const controller = new AbortController();
  for (const event of ['online', 'offline']) {
    window.addEventListener(event, listener, { signal: controller.signal });
  }
  return () => controller.abort();
}
