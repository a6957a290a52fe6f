import type { ConfigRecord } from '@plugin-config/client';
import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, Hash, type LucideIcon } from 'lucide-react';
import { recordName } from '../../record/plugin-info.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
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
  const item = (icon: LucideIcon, title: string, to: Destination | undefined) => (
    <MenuItem icon={icon} onSelect={record && to && (() => onMove(record.id, to))}>
      {title}
    </MenuItem>
  );
  return (
    <Menu id={MOVE_MENU} label={record === undefined ? 'Move' : `Move ${recordName(record)}`}>
      {item(ArrowUp, 'Move up', previous && { before: previous.id })}
      {item(ArrowDown, 'Move down', next && { after: next.id })}
      {item(ArrowUpToLine, 'Move to top', 'first')}
      {item(ArrowDownToLine, 'Move to bottom', 'last')}
      <MenuItem icon={Hash} onSelect={onChoosePosition}>
        Move to position…
      </MenuItem>
    </Menu>
  );
}
