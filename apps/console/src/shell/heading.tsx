import { Link } from 'wouter';
import { FAMILIES, familyPath, type FamilyRef } from './addresses.ts';

/** The title of a screen. That of a family has a link back to its records. */
export function Heading({ title, at }: { readonly title: string; readonly at?: FamilyRef }) {
  return (
    <>
      <title>{`${title} · Plugin console`}</title>
      {at !== undefined && (
        <p>
          <Link href={familyPath(at)}>{FAMILIES[at.family]}</Link>
        </p>
      )}
      <h1>
        <bdi>{title}</bdi>
      </h1>
    </>
  );
}

interface TabProperties {
  readonly label: string;
  readonly tabs: readonly (readonly [href: string, title: string])[];
  /** The address of the current one. */
  readonly current: string;
}

/** Links to the parts of a screen. */
export function Tabs({ label, tabs, current }: TabProperties) {
  return (
    <nav aria-label={label} className="tabs">
      {tabs.map(([href, title]) => (
        <Link key={href} href={href} aria-current={href === current ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
