import { Blocks, FolderOpen, History, Layers, Plug, Plus, Server } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { recordsOf } from '../live/use-family.ts';
import { projectOption, useFoundProjects } from '../project/use-found-projects.ts';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { usePlugins } from '../record/use-plugins.ts';
import { may, mayEverywhere, useKey } from '../session/session.ts';
import {
  allProjectsPath,
  FAMILIES,
  familyPath,
  projectPath,
  recordPath,
  screenPath,
  shownFamilies,
} from '../shell/addresses.ts';
import { administrationPath, administrationScreens } from '../shell/administration-screens.ts';
import { projectScreens, type Rights } from '../shell/project-screens.ts';
import { Combobox, type Option } from '../ui/combobox.tsx';
import { useRead } from '../ui/queries.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { matching } from './matching.ts';

type Target = Omit<Option, 'id'> & { readonly href: string };

/** The maximum numbers of projects, and of all other results. */
const SHOWN = 12;
const RECORDS = 6;
const ALL_PROJECTS: Target = {
  icon: Layers,
  title: 'All projects',
  hint: 'Screen',
  href: allProjectsPath('incidents'),
};
const PROJECTS: Target = { icon: FolderOpen, title: 'Projects', hint: 'Screen', href: '/' };

interface Properties {
  /** The project whose screens and records are offered; null outside of projects. */
  readonly projectId: number | null;
  /** Whether it offers only other projects. */
  readonly isSwitching: boolean;
  readonly onClose: () => void;
}

/** Jumps to a screen, a project, a record or a plugin by a part of its name. */
export function Palette({ projectId, isSwitching, onClose }: Properties) {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const others = useTargets(projectId, text.trim(), !isSwitching);
  const found = useFoundProjects(text);
  const projects = found.projects
    .filter(({ id }) => id !== projectId)
    .map((project) => ({ ...projectOption(project), href: projectPath(project.id) }));
  const targets: readonly Target[] = [...others.targets, ...projects.slice(0, SHOWN)];
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={isSwitching ? 'Switch to another project' : 'Jump to'}
      onClose={onClose}
      closedby="any"
    >
      <Combobox
        label={
          isSwitching ? 'Name or external ID of a project' : 'Jump to a project, record, plugin or screen'
        }
        text={text}
        onText={setText}
        options={(isSwitching && text === '' ? [...targets, PROJECTS] : targets).map((target) => ({
          ...target,
          id: target.href,
        }))}
        isPending={others.isPending || found.isPending}
        error={others.error ?? found.error}
        onChoose={({ href }) => {
          // Closed first, so the focus does not return to where it was.
          onClose();
          navigate(href);
        }}
      />
    </dialog>
  );
}

/** The screens, records and plugins that match a text. */
function useTargets(projectId: number | null, text: string, isEnabled: boolean) {
  const key = useKey();
  const search = useDebounced(text);
  const isReading = isEnabled && text !== '' && may(key, 'plugin:read');
  const plugins = usePlugins(isReading);
  const records = useRead(
    ['palette', projectId, search],
    async (options) => {
      const found = shownFamilies().map(async (family) => {
        const at = { projectId: projectId ?? 0, family };
        const { results } = await recordsOf(at).list({ search, limit: RECORDS }, options).page();
        return results.map((record) => ({
          icon: Plug,
          title: recordName(record),
          hint: `${pluginName(record)} · ${FAMILIES[family]}`,
          href: recordPath({ ...at, id: record.id }),
        }));
      });
      return (await Promise.all(found)).flat();
    },
    {
      enabled: isReading && projectId !== null && search !== '',
      placeholderData: (previous) => previous,
    },
  );
  const named: readonly Target[] = [
    ...(projectId === null
      ? []
      : [
          ...screensOf(projectId, { mayRead: may(key, 'plugin:read'), mayWrite: may(key, 'plugin:write') }),
          PROJECTS,
        ]),
    ...(mayEverywhere(key, 'plugin:read') ? [ALL_PROJECTS] : []),
    ...administrationScreens(key).map(({ part, title, icon }) => ({
      icon,
      title,
      hint: 'Administration',
      href: administrationPath(part),
    })),
    ...(isReading ? (plugins.data ?? []) : []).map(({ id, name }) => ({
      icon: Blocks,
      title: name,
      hint: `Plugin ${id}`,
      href: administrationPath(`plugins/${id}`),
    })),
  ];
  // The service has searched more than the names of records.
  const found = isReading ? (records.data ?? []) : [];
  return {
    targets: isEnabled ? [...found, ...matching(named, text).slice(0, SHOWN)] : [],
    isPending: search !== text || records.isFetching || plugins.isLoading,
    error: records.error ?? plugins.error,
  };
}

function screensOf(projectId: number, rights: Rights): readonly Target[] {
  const families = shownFamilies();
  const ofFamilies = families.flatMap((family) => {
    const path = familyPath({ projectId, family });
    const hint = FAMILIES[family];
    const attach = { icon: Plus, title: 'Attach a plugin', hint, href: `${path}/attach` };
    return [
      ...(rights.mayWrite ? [attach] : []),
      { icon: History, title: 'History', hint, href: `${path}/activity` },
      { icon: Server, title: 'Runtimes', hint, href: `${path}/runtimes` },
    ];
  });
  const screens = projectScreens(rights, families).map(([part, title, icon]) => ({
    icon,
    title,
    hint: 'Screen',
    href: screenPath(projectId, part),
  }));
  return rights.mayRead ? [...screens, ...ofFamilies] : screens;
}
