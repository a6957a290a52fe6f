import type { Json } from '@plugin-config/client';
import { useState } from 'react';
import { isSame } from '../editing/field.ts';
import { ENTRY } from '../record/changes.ts';
import { secretKeysOf } from '../record/plugin-info.ts';
import { writeChanges, type ScreenProperties } from '../record/use-record.ts';
import { notify } from '../ui/notices.tsx';
import { currentValue } from './restoration.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { isRestorable, shownChange, type FieldChange } from './shown-change.ts';

/** Buttons that restore the value of a field before or after a change, if it differs from the current one. */
export function FieldRestore({ at, record, change }: ScreenProperties & { readonly change: FieldChange }) {
  const [chosen, setChosen] = useState<{ readonly value: Json } | null>(null);
  const { field } = change;
  const { label } = shownChange(change);
  const button = (text: string, value: Json) =>
    isRestorable(change, value) &&
    !isSame(value, currentValue(record, field)) && (
      <button
        type="button"
        className="small"
        aria-label={`${text} ${label}`}
        onClick={() => setChosen({ value })}
      >
        {text}
      </button>
    );
  return (
    <span className="actions">
      {button('Revert', change.before)}
      {button('Reapply', change.after)}
      {chosen !== null && (
        <RestoreDialog
          at={at}
          title={`Restore ${label}`}
          changesOf={(seen) => {
            const before = currentValue(seen, field);
            return isSame(before, chosen.value) ? [] : [{ field, before, after: chosen.value }];
          }}
          restore={async (seen) => {
            const isSecret = field.startsWith(ENTRY) && secretKeysOf(seen).has(field.slice(ENTRY.length));
            const restored = { value: chosen.value ?? undefined, isSecret };
            await writeChanges(at, seen, new Map([[field, restored]]));
            notify(`${label} was restored.`);
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </span>
  );
}
