import type { ConfigRecord } from '@plugin-config/client';
import { useEffect, useState } from 'react';
import { recordName } from '../../record/plugin-info.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { handleId } from './move-menu.tsx';
import { planMove, POSITION_MAX } from './plan-move.ts';

interface Properties {
  readonly record: ConfigRecord;
  /** All records of the family, in order. */
  readonly records: readonly ConfigRecord[];
  readonly onMove: (position: number) => void;
  readonly onClose: () => void;
}

/** Moves a record to a position, and previews its neighbours there. */
export function PositionDialog({ record, records, onMove, onClose }: Properties) {
  const [typed, setTyped] = useState('');
  const position = /^\d{1,10}$/.test(typed) ? Number(typed) : null;
  const { id } = record;
  useEffect(() => () => document.getElementById(handleId(id))?.focus(), [id]);
  return (
    <FormDialog
      title={`Move ${recordName(record)}`}
      submitLabel="Move"
      onSubmit={() => {
        if (position !== null) onMove(position);
      }}
      onClose={onClose}
    >
      <TextField
        label="Position"
        type="number"
        min={0}
        max={POSITION_MAX}
        step={1}
        required
        value={typed}
        onChange={setTyped}
      />
      <p className="hint" role="status">
        {position === null ? `Current position: ${record.order}` : placeText(records, id, position)}
      </p>
    </FormDialog>
  );
}

function placeText(records: readonly ConfigRecord[], id: number, position: number): string {
  const expected = planMove(records, id, { position })?.expected;
  if (expected === undefined) return 'Already there.';
  const index = expected.findIndex((record) => record.id === id);
  const [before, after] = [expected[index - 1], expected[index + 1]];
  if (before === undefined) return after === undefined ? 'The only record.' : `Before ${recordName(after)}.`;
  return after === undefined
    ? `After ${recordName(before)}.`
    : `Between ${recordName(before)} and ${recordName(after)}.`;
}
