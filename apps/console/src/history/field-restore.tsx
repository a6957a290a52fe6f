import type { ConfigRecord, Json } from '@plugin-config/client';
import { useState } from 'react';
import { isSame } from '../editing/field.ts';
import { ENTRY } from '../record/changes.ts';
import { secretKeysOf } from '../record/plugin-info.ts';
import { writeChanges } from '../record/write-changes.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useNotify } from '../ui/notices.tsx';
import { currentValue } from './restoration.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { isRestorable, shownChange, type FieldChange } from './shown-change.ts';

interface Properties {
  readonly at: RecordRef;
  readonly record: ConfigRecord;
  readonly change: FieldChange;
  readonly isFirst: boolean;
}

/** Buttons that restore the value of a field before or after a change, if it differs from the current one. */
export function FieldRestore({ at, record, change, isFirst }: Properties) {
  const notify = useNotify();
  const [chosen, setChosen] = useState<{ readonly value: Json } | null>(null);
  const { field } = change;
  const { label } = shownChange(change);
  const now = currentValue(record, field);
  const offered = [
    { text: 'Revert', value: change.before, isThere: !isFirst },
    { text: 'Reapply', value: change.after, isThere: true },
  ].filter(({ value, isThere }) => isThere && isRestorable(change, value) && !isSame(value, now));
  const restore = async (seen: ConfigRecord, value: Json): Promise<void> => {
    const isSecret = field.startsWith(ENTRY) && secretKeysOf(seen).has(field.slice(ENTRY.length));
    await writeChanges(at, seen, new Map([[field, { value: value ?? undefined, isSecret }]]));
    notify(`${label} was restored.`);
  };
  return (
    <span className="change-actions">
      {offered.map(({ text, value }) => (
        <button
          key={text}
          type="button"
          className="small"
          aria-label={`${text} ${label}`}
          onClick={() => setChosen({ value })}
        >
          {text}
        </button>
      ))}
      {chosen !== null && (
        <RestoreDialog
          at={at}
          title={`Restore ${label}`}
          changesOf={(seen) =>
            isSame(currentValue(seen, field), chosen.value)
              ? []
              : [{ field, before: currentValue(seen, field), after: chosen.value }]
          }
          restore={async (seen) => restore(seen, chosen.value)}
          onClose={() => setChosen(null)}
        />
      )}
    </span>
  );
}
