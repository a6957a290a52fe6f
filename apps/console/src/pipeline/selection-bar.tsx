import type { ConfigRecord } from '@plugin-config/client';
import { CircleCheck, CircleOff, X } from 'lucide-react';
import type { FamilyRef } from '../shell/addresses.ts';
import { useBulkEnabling } from './use-bulk-enabling.ts';

interface Properties {
  readonly at: FamilyRef;
  readonly records: readonly ConfigRecord[];
  readonly onClear: () => void;
}

/** What can be done with the selected records at once. */
export function SelectionBar({ at, records, onClear }: Properties) {
  const { setEnabled, isPending } = useBulkEnabling(at);
  if (records.length === 0) return null;
  return (
    <section className="panel selection actions" aria-label="Selection">
      <strong>{records.length} selected</strong>
      <button type="button" className="small" disabled={isPending} onClick={() => setEnabled(records, true)}>
        <CircleCheck />
        Enable
      </button>
      <button type="button" className="small" disabled={isPending} onClick={() => setEnabled(records, false)}>
        <CircleOff />
        Disable
      </button>
      <button type="button" className="quiet small end" onClick={onClear}>
        <X />
        Clear selection
      </button>
    </section>
  );
}
