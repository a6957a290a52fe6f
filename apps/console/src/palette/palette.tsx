import { Blocks, FolderOpen, History, Plug, Plus, Search, Server, type LucideIcon } from 'lucide-react';
import { useDeferredValue, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { recordsOf } from '../live/use-family.ts';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { may, useKey } from '../session/session.ts';
import { FAMILIES, familyPath, recordPath, screenPath, type Family } from '../shell/addresses.ts';
import { administrationPath, administrationScreens } from '../shell/administration-screens.ts';
import { projectScreens } from '../shell/project-screens.ts';
import { service } from '../shell/service.ts';
import { useRead } from '../ui/queries.tsx';
import { matching } from './matching.ts';

/** Something to jump to. */
interface Target {
  readonly icon: LucideIcon;
  readonly title: string;
  /** Its kind, or where it is. */
  readonly hint: string;
  readonly href: string;
}

const SHOWN = 12;
const RECORDS = 6;

interface Properties {
  /** The project whose screens and records are offered; null outside of projects. */
  readonly projectId: number | null;
  readonly onClose: () => void;
}

/** Jumps to a screen, a project, a record or a plugin by a part of its name. */
export function Palette({ projectId, onClose }: Properties) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [, navigate] = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const targets = useTargets(projectId, text);
  const current = targets[Math.min(chosen, targets.length - 1)];
  useEffect(() => dialog.current?.showModal(), []);
  const go = (target: Target | undefined): void => {
    if (target === undefined) return;
    // Closed first, so the focus does not return to where it was.
    onClose();
    navigate(target.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') go(current);
    else if (step === undefined) return;
    else if (targets.length > 0)
      setChosen((Math.min(chosen, targets.length - 1) + step + targets.length) % targets.length);
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="palette" aria-label="Jump to" onClose={onClose} closedby="any">
      <div className="search">
        <Search />
        <input
          role="combobox"
          aria-label="Jump to a project, record, plugin or screen"
          placeholder="Jump to a project, record, plugin or screen"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={current && `${id}-${current.href}`}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(0);
          }}
        />
      </div>
      <div role="listbox" className="options" id={id} aria-label="Results">
        {targets.map((target) => (
          <Link
            key={target.href}
            href={target.href}
            id={`${id}-${target.href}`}
            role="option"
            className="item"
            tabIndex={-1}
            aria-selected={target === current}
            onClick={onClose}
          >
            <target.icon />
            <bdi className="ellipsis">{target.title}</bdi>
            <span className="hint end">{target.hint}</span>
          </Link>
        ))}
      </div>
      <p className="hint" role="status">
        {targets.length === 0 ? 'Nothing found' : ''}
      </p>
    </dialog>
  );
}

function useTargets(projectId: number | null, text: string): readonly Target[] {
  const key = useKey();
  const search = useDeferredValue(text.trim());
  const projects = useRead(
    ['projects', 'palette'],
    async (options) => (await service.projects({ limit: 1000 }, options).page()).results,
  );
  const plugins = useRead(['plugins', 'all'], async (options) =>
    Array.fromAsync(service.plugins.list({ limit: 1000 }, options)),
  );
  const records = useRead(
    ['palette', projectId, search],
    async (options) => {
      const found = (Object.keys(FAMILIES) as readonly Family[]).map(async (family) => {
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
    { enabled: projectId !== null && search !== '', placeholderData: (previous) => previous },
  );
  const others: readonly Target[] = [
    ...(projectId === null ? [] : screensOf(projectId, may(key, 'plugin:write'))),
    ...administrationScreens(key).map(({ part, title, icon }) => ({
      icon,
      title,
      hint: 'Administration',
      href: administrationPath(part),
    })),
    ...(projects.data ?? []).map(({ id, name }) => ({
      icon: FolderOpen,
      title: name,
      hint: `Project ${id}`,
      href: familyPath({ projectId: id, family: 'plugin_configs' }),
    })),
    ...(text === '' ? [] : (plugins.data ?? [])).map(({ id, name }) => ({
      icon: Blocks,
      title: name,
      hint: `Plugin ${id}`,
      href: administrationPath(`plugins/${id}`),
    })),
  ];
  // The service has searched more than the names of records.
  const found = text.trim() === '' ? [] : (records.data ?? []);
  return [...found, ...matching(others, text)].slice(0, SHOWN);
}

function screensOf(projectId: number, mayWrite: boolean): readonly Target[] {
  const families = (Object.keys(FAMILIES) as readonly Family[]).flatMap((family) => {
    const path = familyPath({ projectId, family });
    const hint = FAMILIES[family];
    return [
      ...(mayWrite ? [{ icon: Plus, title: 'Attach a plugin', hint, href: `${path}/attach` }] : []),
      { icon: History, title: 'History', hint, href: `${path}/activity` },
      { icon: Server, title: 'Runtimes', hint, href: `${path}/runtimes` },
    ];
  });
  const screens = projectScreens(mayWrite).map(([part, title, icon]) => ({
    icon,
    title,
    hint: 'Screen',
    href: screenPath(projectId, part),
  }));
  return [...screens, ...families];
}
