import type { ConfigRecord } from '@plugin-config/client';
import { memo, useRef, type RefObject } from 'react';
import { Link } from 'wouter';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { rateText } from '../ui/rate-text.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Time } from '../ui/time.tsx';
import { useEnabling } from './use-enabling.ts';
import { handleId, MOVE_MENU } from './order/move-menu.tsx';
import { useRowDrag } from './order/use-row-drag.ts';
import { recordName, pluginName } from './names.ts';

const ERROR_MAX = 200;

interface Properties {
  readonly at: FamilyRef;
  readonly record: ConfigRecord;
  /** The time of its last error; undefined while loading. */
  readonly errorAt: string | undefined;
  /** Absent if the key may only read. */
  readonly onActivate?: ((id: number) => void) | undefined;
}

export const RecordRow = memo(function RecordRow({ at, record, errorAt, onActivate }: Properties) {
  const row = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const enabling = useEnabling(at, record);
  const name = recordName(record);
  return (
    <div ref={row} className="record-row" data-id={record.id}>
      {onActivate !== undefined && (
        <div role="cell" className="handle">
          <Handle id={record.id} name={name} row={row} handle={handle} onActivate={onActivate} />
        </div>
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
        <Link href={recordPath({ ...at, id: record.id })}>
          <bdi>{name}</bdi>
        </Link>
      </div>
      <div role="cell" className="plugin">
        {pluginName(record)}
      </div>
      <div role="cell" className="error">
        {record.error !== null && (
          <>
            {errorAt !== undefined && <Time at={errorAt} />}
            <span title={record.error}>⚠ {record.error.slice(0, ERROR_MAX)}</span>
          </>
        )}
      </div>
      {at.family === 'plugin_configs' && (
        <div role="cell" className="rate">
          {rateText(record.delivery_rate_24h)}
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
  readonly row: RefObject<HTMLDivElement | null>;
  readonly handle: RefObject<HTMLButtonElement | null>;
  readonly onActivate: (id: number) => void;
}

/** Drags its row, and opens the move menu. */
function Handle({ id, name, row, handle, onActivate }: HandleProperties) {
  const edge = useRowDrag({ id, row, handle, onDrag: onActivate });
  return (
    <>
      <button
        ref={handle}
        type="button"
        id={handleId(id)}
        className="grip"
        aria-label={`Move ${name}`}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        title="Drag to move, press for more options, or use Alt + arrow keys"
        aria-haspopup="menu"
        popoverTarget={MOVE_MENU}
        onClick={() => onActivate(id)}
      >
        <span aria-hidden="true">⠿</span>
      </button>
      {edge !== null && <span className={`drop-line ${edge}`} />}
    </>
  );
}
