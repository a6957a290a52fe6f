import type { ConfigRecord } from '@plugin-config/client';
import { memo, useRef } from 'react';
import { Link } from 'wouter';
import { familyKey, recordsOf } from '../live/use-family.ts';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { rateText } from '../ui/format.ts';
import { notify } from '../ui/notices.tsx';
import { useChange } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { handleId, MOVE_MENU } from './order/move-menu.tsx';
import { useRowDrag } from './order/use-row-drag.ts';

const ERROR_MAX = 200;

interface Properties {
  readonly at: FamilyRef;
  readonly record: ConfigRecord;
  /** The time of its last error; undefined while loading. */
  readonly errorAt: string | undefined;
  /** Absent if the key is read-only. */
  readonly onActivate?: ((id: number) => void) | undefined;
}

export const RecordRow = memo(function RecordRow({ at, record, errorAt, onActivate }: Properties) {
  const enabling = useEnabling(at, record);
  const name = recordName(record);
  return (
    <div className="record-row" data-id={record.id}>
      {onActivate !== undefined && (
        <div role="cell" className="handle">
          <Handle id={record.id} name={name} onActivate={onActivate} />
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

/** Enables and disables a record, with undo. */
function useEnabling(at: FamilyRef, record: ConfigRecord) {
  const { id } = record;
  const name = recordName(record);
  // Unconditional: concurrent changes of other fields do not matter.
  const enabling = useChange(async (enabled: boolean) => recordsOf(at).update(id, () => ({ enabled })), {
    affects: familyKey(at),
    // Sequential, so the last change wins.
    scope: { id: `enabled ${at.projectId} ${at.family} ${id}` },
    onSuccess: (_, enabled) => {
      const text = `${name} was ${enabled ? 'enabled' : 'disabled'}.`;
      notify(text, { Undo: () => enabling.mutate(!enabled) }, `enabled ${id}`);
    },
    // A notice, since the row may be out of sight.
    onError: (error, enabled) =>
      notify(`${name} could not be ${enabled ? 'enabled' : 'disabled'}. ${error.message}`),
  });
  return { ...enabling, isEnabled: enabling.isPending ? enabling.variables : record.enabled };
}
