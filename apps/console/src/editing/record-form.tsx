import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ConflictDialog } from '../conflict/conflict-dialog.tsx';
import { Form } from '../ui/fields.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { FieldInputs } from './field-inputs.tsx';
import { fieldsOf } from './field.ts';
import type { Editing } from './use-editing.ts';

interface Properties {
  readonly editing: Editing;
  /** The accessible name of the form. */
  readonly title: string;
  /** Whether another change to the record is being saved. */
  readonly isBusy?: boolean;
  /** Buttons after that to save. */
  readonly actions?: ReactNode;
  /** Shown below the fields. */
  readonly children?: ReactNode;
}

/** A form that saves all changes to a record at once. */
export function RecordForm({ editing, title, isBusy = false, actions, children }: Properties) {
  const { at, form, drafts, element, problems, error, save, isOutdated, edit, submit, discard, keepMine } =
    editing;
  return (
    <>
      <Form ref={element} aria-label={title} className="fields" noValidate onSubmit={submit}>
        <FieldInputs fields={fieldsOf(form)} drafts={drafts} problems={problems} onEdit={edit} />
        {children}
        <ErrorNote error={error} />
        {isOutdated && (
          <div role="status" className="note warn">
            <RefreshCw />
            <p>This record has changed. Your edits are kept, and you can compare both when you save.</p>
          </div>
        )}
        <p className="actions">
          <button type="submit" className="primary" disabled={isBusy}>
            {save.isPending ? 'Saving…' : 'Save'}
          </button>
          {actions}
          {drafts.size > 0 ? (
            <button type="button" onClick={discard} disabled={save.isPending}>
              Discard changes
            </button>
          ) : (
            <span className="hint">All changes saved</span>
          )}
        </p>
      </Form>
      <ConflictDialog at={at} save={save} onKeepMine={keepMine} onTakeTheirs={discard} />
    </>
  );
}
