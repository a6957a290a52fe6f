import type { ConfigRecord } from '@plugin-config/client';
import { useEffect, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { recordName } from '../names.ts';
import { handleId } from './move-menu.tsx';
import { planMove, POSITION_MAX } from './plan-move.ts';

interface Properties {
  readonly record: ConfigRecord;
  /** All records of the family in their order. */
  readonly records: readonly ConfigRecord[];
  readonly onMove: (position: number) => void;
  readonly onClose: () => void;
}

/** Asks for the position to which a record is to move, and says between which records that is. */
export function PositionDialog({ record, records, onMove, onClose }: Properties) {
  const [typed, setTyped] = useState('');
  const position = /^\d{1,10}$/.test(typed) ? Number(typed) : null;
  const { id } = record;
  useEffect(() => () => document.getElementById(handleId(id))?.focus(), [id]);
  return (
    <Dialog title={`Move ${recordName(record)}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (position !== null) onMove(position);
        }}
      >
        <label>
          To position
          <input
            type="number"
            min={0}
            max={POSITION_MAX}
            step={1}
            required
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <p className="hint" role="status">
          {position === null ? `It is at position ${record.order} now.` : placeText(records, id, position)}
        </p>
        <p className="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary">
            Move
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function placeText(records: readonly ConfigRecord[], id: number, position: number): string {
  const expected = planMove(records, id, { position })?.expected;
  if (expected === undefined) return 'It is there already.';
  const index = expected.findIndex((record) => record.id === id);
  const [before, after] = [expected[index - 1], expected[index + 1]];
  if (before === undefined)
    return after === undefined ? 'It is the only one.' : `Before ${recordName(after)}.`;
  return after === undefined
    ? `After ${recordName(before)}.`
    : `Between ${recordName(before)} and ${recordName(after)}.`;
}
