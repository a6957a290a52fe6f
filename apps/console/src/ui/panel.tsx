import { useId, type ReactNode } from 'react';
import { Link } from 'wouter';

interface Properties {
  readonly title: string;
  /** The screen that shows more. */
  readonly link?: readonly [href: string, title: string];
  /** Buttons next to the title, with the class `end`. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a screen. */
export function Panel({ title, link, actions, children }: Properties) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {link !== undefined && <Link href={link[0]}>{link[1]}</Link>}
        {actions}
      </header>
      {children}
    </section>
  );
}
