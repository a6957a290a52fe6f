import type { ConfigRecord } from '@plugin-config/client';
import { useEffect, useRef } from 'react';
import { recordName } from '../names.ts';
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
  const choose = (act: () => void) => () => {
    menu.current?.hidePopover();
    act();
  };
  const moveTo = (to: Destination) => choose(() => record && onMove(record.id, to));
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
        const index = items.findIndex((item) => item === document.activeElement);
        items.at((Math.max(index, step === 1 ? -1 : 0) + step) % items.length)?.focus();
      }}
    >
      <button
        type="button"
        role="menuitem"
        disabled={!previous}
        onClick={moveTo({ before: previous?.id ?? 0 })}
      >
        Move up
      </button>
      <button type="button" role="menuitem" disabled={!next} onClick={moveTo({ after: next?.id ?? 0 })}>
        Move down
      </button>
      <button type="button" role="menuitem" onClick={moveTo('first')}>
        Move to top
      </button>
      <button type="button" role="menuitem" onClick={moveTo('last')}>
        Move to bottom
      </button>
      <button type="button" role="menuitem" onClick={choose(onChoosePosition)}>
        Move to position…
      </button>
    </div>
  );
}
