import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LiveNote } from '../live/live-note.tsx';
import { useMayRead } from '../session/session.ts';
import { FAMILIES, familyPath, type FamilyRef } from './addresses.ts';
import { useHeadingFocus } from './use-heading-focus.ts';

interface HeadingProperties {
  readonly title: string;
  /** The title of the page in the browser, if it says more. */
  readonly pageTitle?: string;
  /** The screen above this one. */
  readonly parent?: readonly [href: string, title: string];
  /** A mark before the title. */
  readonly mark?: ReactNode;
  /** Badges after the title, and actions with the class `end`. */
  readonly children?: ReactNode;
}

/** The title of a screen, with what belongs next to it. */
export function Heading({ title, pageTitle = title, parent, mark, children }: HeadingProperties) {
  const heading = useHeadingFocus();
  return (
    <header className="page-head">
      <title>{`${pageTitle} · Plugin console`}</title>
      {parent !== undefined && (
        <p className="hint">
          <Link href={parent[0]} className="with-icon">
            <ChevronLeft />
            {parent[1]}
          </Link>
        </p>
      )}
      <div className="page-title">
        {mark}
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {children}
      </div>
    </header>
  );
}

/** The parent screen of a family's records. */
export const parentOf = (at: FamilyRef) => [familyPath(at), FAMILIES[at.family]] as const;

/** The screens about a whole family, by the end of their address. */
const FAMILY_TABS = { '': 'Pipeline', '/activity': 'History', '/runtimes': 'Runtimes' } as const;

interface FamilyProperties {
  readonly at: FamilyRef;
  readonly tab: keyof typeof FAMILY_TABS;
  readonly children?: ReactNode;
}

/** The title of a family, with a tab for each of its screens. */
export function FamilyHeading({ at, tab, children }: FamilyProperties) {
  const path = familyPath(at);
  const title = FAMILIES[at.family];
  const mayRead = useMayRead(at.projectId);
  return (
    <>
      <Heading title={title} pageTitle={tab === '' ? title : `${FAMILY_TABS[tab]} · ${title}`}>
        <LiveNote at={at} />
        {children}
      </Heading>
      {mayRead && (
        <Tabs
          label={title}
          tabs={Object.entries(FAMILY_TABS).map(([end, name]) => [path + end, name])}
          current={path + tab}
        />
      )}
    </>
  );
}

interface TabProperties {
  readonly label: string;
  readonly tabs: readonly (readonly [href: string, title: string])[];
  /** The address of the current one. */
  readonly current: string;
  /** Whether they are below other tabs. */
  readonly isMinor?: boolean;
}

/** Links to the parts of a screen. */
export function Tabs({ label, tabs, current, isMinor = false }: TabProperties) {
  return (
    <nav aria-label={label} className={isMinor ? 'segmented' : 'tabs'}>
      {tabs.map(([href, title]) => (
        <Link key={href} href={href} aria-current={href === current ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
