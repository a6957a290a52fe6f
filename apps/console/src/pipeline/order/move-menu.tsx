import type { ConfigRecord } from '@plugin-config/client';
import { useEffect, useRef } from 'react';
import { recordName } from '../../record/plugin-info.ts';
import type { Destination } from './plan-move.ts';

/** The menu is shared by the handles of all rows. */
export const MOVE_MENU = 'move-menu';

export const handleId = (id: number): string => `move-${id}`;

interface Properties {
  /** The record whose handle was used last. */
  readonly record: ConfigRecord | undefined;
  /** Its neighbours among the shown records. */
  readonly previous: ConfigRecord | undefined;
  readonly next: ConfigRecord | undefined;
  readonly onMove: (id: number, to: Destination) => void;
  readonly onChoosePosition: () => void;
}

/** Moves a record without dragging it. */
export function MoveMenu({ record, previous, next, onMove, onChoosePosition }: Properties) {
  const menu = useRef<HTMLDivElement>(null);
  // Focuses the menu as it opens, so no key press is lost. React does not render this attribute.
  useEffect(() => menu.current?.setAttribute('autofocus', ''), []);
  const item = (title: string, act: (() => void) | undefined) => (
    <button
      type="button"
      role="menuitem"
      disabled={act === undefined}
      onClick={() => {
        menu.current?.hidePopover();
        act?.();
      }}
    >
      {title}
    </button>
  );
  const move = (title: string, to: Destination | undefined) =>
    item(title, record && to && (() => onMove(record.id, to)));
  return (
    <div
      ref={menu}
      id={MOVE_MENU}
      popover="auto"
      className="move-menu"
      role="menu"
      tabIndex={-1}
      aria-label={record === undefined ? 'Move' : `Move ${recordName(record)}`}
      onToggle={({ newState }) => {
        if (newState !== 'open' || document.activeElement !== menu.current) return;
        menu.current?.querySelector<HTMLElement>('button:enabled')?.focus();
      }}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')];
        const index = items.findIndex((one) => one === document.activeElement);
        items.at((Math.max(index, step === 1 ? -1 : 0) + step) % items.length)?.focus();
      }}
    >
      {move('Move up', previous && { before: previous.id })}
      {move('Move down', next && { after: next.id })}
      {move('Move to top', 'first')}
      {move('Move to bottom', 'last')}
      {item('Move to position…', onChoosePosition)}
    </div>
  );
}
