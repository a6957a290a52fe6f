import type { ConfigRecord } from '@plugin-config/client';
import { CircleAlert, Ellipsis, GripVertical } from 'lucide-react';
import { memo, useRef } from 'react';
import { Link } from 'wouter';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { rateText } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { handleId, MOVE_MENU } from './order/move-menu.tsx';
import { useRowDrag } from './order/use-row-drag.ts';
import { ROW_MENU } from './row-menu.tsx';
import { Sparkline } from './sparkline.tsx';
import { useEnabling } from './use-enabling.ts';
import type { RecordDeliveries } from './use-recent-deliveries.ts';

const ERROR_MAX = 200;

interface Properties {
  readonly at: FamilyRef;
  readonly record: ConfigRecord;
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
  const { at, record, errorAt, deliveries, onActivate, isSelected, onSelect } = properties;
  const enabling = useEnabling(at, record);
  const name = recordName(record);
  return (
    <div className="record-row" data-id={record.id}>
      {onActivate !== undefined && (
        <>
          <div role="cell" className="handle">
            <Handle id={record.id} name={name} onActivate={onActivate} />
          </div>
          <div role="cell" className="select">
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              checked={isSelected}
              onChange={({ target }) => onSelect(record.id, target.checked)}
            />
          </div>
        </>
      )}
      <div role="cell" className="position">
        {record.order}
      </div>
      <div role="cell" className="enabled">
        <EnabledSwitch
          name={name}
          isEnabled={enabling.isEnabled}
          onChange={onActivate && ((enabled) => enabling.mutate(enabled))}
        />
      </div>
      <div role="cell" className="name">
        <Mark name={pluginName(record)} seed={record.plugin} />
        <Link href={recordPath({ ...at, id: record.id })} className="ellipsis">
          <bdi>{name}</bdi>
        </Link>
      </div>
      <div role="cell" className="plugin">
        {pluginName(record)}
      </div>
      <div role="cell" className="error">
        {record.error !== null && (
          <>
            <CircleAlert className="bad" />
            <span className="bad ellipsis" title={record.error}>
              {record.error.slice(0, ERROR_MAX)}
            </span>
            {errorAt !== undefined && <Time at={errorAt} />}
          </>
        )}
      </div>
      {at.family === 'plugin_configs' && (
        <div role="cell" className="rate">
          {deliveries !== undefined && <Sparkline deliveries={deliveries} />}
          {rateText(record.delivery_rate_24h)}
        </div>
      )}
      {onActivate !== undefined && (
        <div role="cell" className="more">
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
        </div>
      )}
      {enabling.error !== null && (
        <div role="cell" className="failure">
          <ErrorNote error={enabling.error} retry={() => enabling.mutate(enabling.variables)} />
        </div>
      )}
    </div>
  );
});

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
