import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';

interface Properties {
  /** Buttons with this `popoverTarget` open the menu. */
  readonly id: string;
  readonly label: string;
  /** Items, and rules between them. */
  readonly children: ReactNode;
}

/** A menu that the browser closes on Escape or a click outside. Arrow keys move between its items. */
export function Menu({ id, label, children }: Properties) {
  const menu = useRef<HTMLDivElement>(null);
  // Focuses the menu as it opens, so no key press is lost. React does not render this attribute.
  useEffect(() => menu.current?.setAttribute('autofocus', ''), []);
  return (
    <div
      ref={menu}
      id={id}
      popover="auto"
      className="popup"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onToggle={({ newState }) => {
        if (newState !== 'open' || document.activeElement !== menu.current) return;
        menu.current?.querySelector<HTMLElement>(ITEM)?.focus();
      }}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest(ITEM) !== null) menu.current?.hidePopover();
      }}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM)];
        const index = items.findIndex((one) => one === document.activeElement);
        // A key may be pressed before the first item has the focus.
        items.at((Math.max(index, 0) + step) % items.length)?.focus();
      }}
    >
      {children}
    </div>
  );
}

const ITEM = '[role=menuitem]:enabled, a[role=menuitem]';

interface ItemProperties {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}

/** An item that does something; it is disabled if `onSelect` is missing. */
export function MenuItem({
  icon: Icon,
  children,
  onSelect,
}: ItemProperties & { readonly onSelect: (() => void) | undefined }) {
  return (
    <button type="button" role="menuitem" disabled={onSelect === undefined} onClick={onSelect}>
      <Icon />
      {children}
    </button>
  );
}

/** An item that leads to another screen. */
export function MenuLink({ icon: Icon, children, href }: ItemProperties & { readonly href: string }) {
  return (
    <Link role="menuitem" href={href}>
      <Icon />
      {children}
    </Link>
  );
}
