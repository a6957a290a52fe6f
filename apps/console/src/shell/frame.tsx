import { onlineManager, useQueryClient } from '@tanstack/react-query';
import {
  ChevronsUpDown,
  FolderOpen,
  KeyRound,
  Layers,
  LogOut,
  Menu,
  Monitor,
  Moon,
  Search,
  Settings,
  Sun,
  User,
  WifiOff,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import { Palette } from '../palette/palette.tsx';
import { rememberProject } from '../project/recent-projects.ts';
import {
  mayEverywhere,
  SESSION_KEY,
  SIGNED_OUT,
  useKey,
  useMayRead,
  useMayWrite,
} from '../session/session.ts';
import { isNotFound } from '../ui/error-text.ts';
import { Segmented } from '../ui/fields.tsx';
import { Mark } from '../ui/mark.tsx';
import { useChange, useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { allProjectsPath, idOf, screenPath, shownFamilies } from './addresses.ts';
import { administrationPath, administrationScreens } from './administration-screens.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import icon from './icon.svg';
import { NotFound } from './not-found.tsx';
import { usePreference } from './preferences.ts';
import { projectScreens } from './project-screens.ts';
import { service } from './service.ts';

/** The navigation at the side of each screen, or in a menu above it if the page is narrow. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [address] = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  const [, params] = useRoute('/projects/:project/*?');
  const project = useProject(params === null ? null : idOf(params.project));
  /** The project of the address; null outside of projects, and if it does not exist. */
  const projectId = project === null || project.isMissing ? null : project.id;
  const key = useKey();
  const [administration] = administrationScreens(key);
  const [jump, setJump] = useState<'anywhere' | 'to a project' | null>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      // A dialog is in use.
      if (document.querySelector('dialog[open]') === null) setJump('anywhere');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const open = (where: 'anywhere' | 'to a project'): void => {
    menu.current?.hidePopover();
    setJump(where);
  };
  // Following a link closes the menu.
  useEffect(() => {
    if (address !== '') menu.current?.hidePopover();
  }, [address]);
  return (
    <div className="layout">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="frame">
        <Link href="/" className="brand">
          <img src={icon} alt="" width="24" height="24" />
          Plugin console
        </Link>
        {project !== null && <bdi className="hint ellipsis">{project.name}</bdi>}
        <button type="button" className="quiet end" popoverTarget="menu">
          <Menu />
          Menu
        </button>
        <div ref={menu} id="menu" className="menu" popover="auto">
          <button
            type="button"
            className="jump"
            aria-keyshortcuts="Control+K Meta+K"
            onClick={() => open('anywhere')}
          >
            <Search />
            Jump to…
            <kbd className="end">{/Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</kbd>
          </button>
          {projectId !== null && (
            <ProjectLinks
              projectId={projectId}
              name={project?.name ?? ''}
              part={params?.['*']?.split('/')[0] ?? ''}
              onSwitch={() => open('to a project')}
            />
          )}
          <nav aria-label="Service">
            {projectId === null && (
              <NavLink href="/" icon={FolderOpen} isCurrent={address === '/'}>
                Projects
              </NavLink>
            )}
            {mayEverywhere(key, 'plugin:read') && (
              <NavLink
                href={allProjectsPath('incidents')}
                icon={Layers}
                isCurrent={address.startsWith(allProjectsPath(''))}
              >
                All projects
              </NavLink>
            )}
            {administration !== undefined && (
              <NavLink
                href={administrationPath(administration.part)}
                icon={Settings}
                isCurrent={address.startsWith(administrationPath(''))}
              >
                Administration
              </NavLink>
            )}
          </nav>
          <Account />
        </div>
      </header>
      <div>
        <OfflineNote />
        <main id="main" tabIndex={-1}>
          <ErrorBoundary address={address}>
            {project?.isMissing === true ? <NotFound /> : children}
          </ErrorBoundary>
        </main>
      </div>
      {jump !== null && (
        <Palette projectId={projectId} isSwitching={jump !== 'anywhere'} onClose={() => setJump(null)} />
      )}
    </div>
  );
}

interface LinkProperties {
  readonly href: string;
  readonly icon: LucideIcon;
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}

function NavLink({ href, icon: Icon, isCurrent, children }: LinkProperties) {
  return (
    <Link href={href} className="item" aria-current={isCurrent ? 'page' : undefined}>
      <Icon />
      {children}
    </Link>
  );
}

/** Projects are rarely renamed. */
const NAME_STALE_MS = 60_000;

/** The project of an address. */
function useProject(id: number | null) {
  const { data, error } = useRead(
    ['projects', 'one', id],
    async (options) => service.project(id ?? 0).retrieve(options),
    { staleTime: NAME_STALE_MS, enabled: id !== null },
  );
  const knownId = data?.id;
  useEffect(() => {
    if (knownId !== undefined) rememberProject(knownId);
  }, [knownId]);
  return id === null ? null : { id, name: data?.name ?? `Project ${id}`, isMissing: isNotFound(error) };
}

interface ProjectProperties {
  readonly projectId: number;
  readonly name: string;
  /** The part of the address after the project. */
  readonly part: string;
  readonly onSwitch: () => void;
}

function ProjectLinks({ projectId, name, part: current, onSwitch }: ProjectProperties) {
  const rights = { mayRead: useMayRead(projectId), mayWrite: useMayWrite() };
  return (
    <nav aria-label="Project">
      <button
        type="button"
        className="item switch-project"
        aria-haspopup="dialog"
        title="Switch to another project"
        onClick={onSwitch}
      >
        <Mark name={name} seed={projectId} />
        <bdi className="ellipsis">{name}</bdi>
        <ChevronsUpDown className="end" />
      </button>
      {projectScreens(rights, shownFamilies()).map(([part, title, partIcon]) => (
        <NavLink key={part} href={screenPath(projectId, part)} icon={partIcon} isCurrent={part === current}>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}

const THEMES = [
  ['system', 'System', <Monitor key="system" />],
  ['light', 'Light', <Sun key="light" />],
  ['dark', 'Dark', <Moon key="dark" />],
] as const;

function Account() {
  const { label, subject } = useKey();
  const queries = useQueryClient();
  const [theme, setTheme] = usePreference('theme');
  const signOut = useChange(async () => service.session.end(), {
    affects: SESSION_KEY,
    onSuccess: () => queries.setQueryData(SESSION_KEY, SIGNED_OUT),
  });
  return (
    <div className="account">
      <Segmented label="Theme" value={theme} options={THEMES} onChange={setTheme} />
      <span
        className="with-icon hint"
        title={subject === undefined ? 'The key you signed in with' : `You are signed in as ${subject.id}`}
      >
        {subject === undefined ? <KeyRound /> : <User />}
        <bdi className="ellipsis">{label}</bdi>
      </span>
      <button
        type="button"
        className="quiet small"
        onClick={() => signOut.mutate()}
        disabled={signOut.isPending}
      >
        <LogOut />
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
        <p className="note bad">
          <WifiOff /> You are offline. Data may be out of date, and changes cannot be saved until you
          reconnect.
        </p>
      )}
    </div>
  );
}
