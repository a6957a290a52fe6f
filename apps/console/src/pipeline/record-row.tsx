import type { ConfigRecord } from '@plugin-config/client';
import { CircleAlert, Ellipsis, GripVertical } from 'lucide-react';
import { memo, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { InvalidBadge } from '../ui/badge.tsx';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { formatCount, rateText } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { barPaths, HEIGHT } from './bar-paths.ts';
import { handleId, MOVE_MENU } from './order/move-menu.tsx';
import { useRowDrag } from './order/use-row-drag.ts';
import { ROW_MENU } from './row-menu.tsx';
import { useEnabling } from './use-enabling.ts';
import type { RecordDeliveries } from './use-recent-deliveries.ts';

const ERROR_MAX = 200;

interface Properties {
  readonly at: FamilyRef;
  readonly record: ConfigRecord;
  readonly isInvalid: boolean;
  /** The time of its last error; undefined while loading. */
  readonly errorAt: string | undefined;
  /** Undefined without deliveries, and while loading. */
  readonly deliveries: RecordDeliveries | undefined;
  /** Absent if the key is read-only. */
  readonly onActivate?: ((id: number) => void) | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (id: number, isOn: boolean) => void;
}

export const RecordRow = memo(function RecordRow(properties: Properties) {
  const { at, record, isInvalid, errorAt, deliveries, onActivate, isSelected, onSelect } = properties;
  const enabling = useEnabling(at, record);
  const name = recordName(record);
  return (
    <div className="record-row" data-id={record.id}>
      {onActivate !== undefined && (
        <>
          <Cell area="handle">
            <Handle id={record.id} name={name} onActivate={onActivate} />
          </Cell>
          <Cell area="select">
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              checked={isSelected}
              onChange={({ target }) => onSelect(record.id, target.checked)}
            />
          </Cell>
        </>
      )}
      <Cell area="position">{record.order}</Cell>
      <Cell area="enabled">
        <EnabledSwitch
          name={name}
          isEnabled={enabling.isEnabled}
          onChange={onActivate && ((enabled) => enabling.mutate(enabled))}
        />
      </Cell>
      <Cell area="name">
        <Mark name={pluginName(record)} seed={record.plugin} />
        <Link href={recordPath({ ...at, id: record.id })} className="ellipsis">
          <bdi>{name}</bdi>
        </Link>
      </Cell>
      <Cell area="plugin">{pluginName(record)}</Cell>
      <Cell area="error">
        {isInvalid && <InvalidBadge />}
        {record.error !== null && (
          <>
            <CircleAlert className="bad" />
            <span className="bad ellipsis" title={record.error}>
              {record.error.slice(0, ERROR_MAX)}
            </span>
            {errorAt !== undefined && <Time at={errorAt} />}
          </>
        )}
      </Cell>
      {at.family === 'plugin_configs' && (
        <Cell area="rate">
          {deliveries !== undefined && <Sparkline deliveries={deliveries} />}
          {rateText(record.delivery_rate_24h)}
        </Cell>
      )}
      {onActivate !== undefined && (
        <Cell area="more">
          <button
            type="button"
            className="quiet icon small"
            aria-label={`Actions for ${name}`}
            aria-haspopup="menu"
            popoverTarget={ROW_MENU}
            onClick={() => onActivate(record.id)}
          >
            <Ellipsis />
          </button>
        </Cell>
      )}
      {enabling.error !== null && (
        <Cell area="failure">
          <ErrorNote error={enabling.error} retry={() => enabling.mutate(enabling.variables)} />
        </Cell>
      )}
    </div>
  );
});

const sumOf = (counts: readonly number[]): string =>
  formatCount(counts.reduce((sum, count) => sum + count, 0));

/** A bar for each of the last 24 hours. */
function Sparkline({ deliveries }: { readonly deliveries: RecordDeliveries }) {
  const { width, successes, failures } = barPaths(deliveries);
  return (
    <svg className="sparkline" role="img" width={width} height={HEIGHT}>
      <title>{`${sumOf(deliveries.successes)} delivered, ${sumOf(deliveries.failures)} failed in 24 hours`}</title>
      <path className="failures" d={failures} />
      <path className="successes" d={successes} />
    </svg>
  );
}

/** A cell in the column of its class. */
function Cell({ area, children }: { readonly area: string; readonly children: ReactNode }) {
  return (
    <div role="cell" className={area} style={{ gridArea: area }}>
      {children}
    </div>
  );
}

interface HandleProperties {
  readonly id: number;
  readonly name: string;
  readonly onActivate: (id: number) => void;
}

/** Drags its row, and opens the move menu. */
function Handle({ id, name, onActivate }: HandleProperties) {
  const handle = useRef<HTMLButtonElement>(null);
  const edge = useRowDrag(id, handle, onActivate);
  return (
    <>
      <button
        ref={handle}
        type="button"
        id={handleId(id)}
        className="quiet icon small grip"
        aria-label={`Move ${name}`}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        title="Drag to move, press for more options, or use Alt + arrow keys"
        aria-haspopup="menu"
        popoverTarget={MOVE_MENU}
        onClick={() => onActivate(id)}
      >
        <GripVertical />
      </button>
      {edge !== null && <span className={`drop-line ${edge}`} />}
    </>
  );
}
