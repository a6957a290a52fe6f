import type { ConfigRecord } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { memo, useRef } from 'react';
import { Link } from 'wouter';
import { readFamilyNow, recordsOf } from '../live/use-family.ts';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { rateText } from '../ui/format.ts';
import { notify } from '../ui/notices.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { handleId, MOVE_MENU } from './order/move-menu.tsx';
import { useRowDrag } from './order/use-row-drag.ts';

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
  const queries = useQueryClient();
  const { id } = record;
  const { mutate, ...enabling } = useMutation({
    // Sequential, so the last change wins.
    scope: { id: `enabled ${at.projectId} ${at.family} ${id}` },
    // Unconditional: concurrent changes of other fields do not matter.
    mutationFn: async (enabled: boolean) => {
      await recordsOf(at).update(id, () => ({ enabled }));
      await readFamilyNow(queries, at);
    },
    onSuccess: (_, enabled) => {
      const text = `${recordName(record)} was ${enabled ? 'enabled' : 'disabled'}.`;
      notify(text, { Undo: () => mutate(!enabled) }, `enabled ${id}`);
    },
    // A notice, since the row may be out of sight.
    onError: (error, enabled) =>
      notify(`${recordName(record)} could not be ${enabled ? 'enabled' : 'disabled'}. ${error.message}`),
  });
  return { ...enabling, mutate, isEnabled: enabling.isPending ? enabling.variables : record.enabled };
}
