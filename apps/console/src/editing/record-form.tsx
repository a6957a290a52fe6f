import { useEffect, useId, useRef } from 'react';
import { ConflictDialog } from '../conflict/conflict-dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Form } from '../ui/fields.tsx';
import { FieldFrame, FieldInput } from './field-input.tsx';
import { OTHERS, othersText } from './field.ts';
import type { Editing } from './use-editing.ts';
import { ValueInput } from './value-input.tsx';
import './editing.css';

interface Properties {
  readonly editing: Editing;
  /** The accessible name of the form. */
  readonly title: string;
  /** Explains the entries without a field. */
  readonly othersNote?: string;
  /** Whether another change of the record is being saved. */
  readonly isBusy?: boolean;
}

/** A form that saves all changes of a record at once. */
export function RecordForm({ editing, title, othersNote = '', isBusy = false }: Properties) {
  const { at, form, drafts, problems, rejections, error, save, isOutdated, edit, submit, discard, merge } =
    editing;
  const element = useRef<HTMLFormElement>(null);
  const othersId = useId();
  useEffect(() => {
    if (rejections === 0) return;
    element.current
      ?.querySelector<HTMLElement>('[data-invalid] :is(input, textarea, select, button)')
      ?.focus();
  }, [rejections]);
  return (
    <>
      <Form ref={element} aria-label={title} className="record-form" noValidate onSubmit={submit}>
        {form.fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            draft={drafts.get(field.name)}
            problem={problems.get(field.name)}
            onEdit={(draft) => edit(field.name, draft)}
          />
        ))}
        {form.others !== null && (
          <FieldFrame
            id={othersId}
            field={{ label: form.fields.length === 0 ? 'Configuration (JSON)' : 'Other entries (JSON)' }}
            notes={othersNote === '' ? [] : [othersNote]}
            problem={problems.get(OTHERS)}
          >
            <ValueInput
              id={othersId}
              describedBy={`${othersId}-notes ${othersId}-problem`}
              isInvalid={problems.has(OTHERS)}
              field={{ name: OTHERS, label: '', type: 'json', stored: form.others }}
              text={drafts.get(OTHERS) ?? othersText(form.others)}
              onEdit={(text) =>
                edit(OTHERS, form.others !== null && text === othersText(form.others) ? undefined : text)
              }
            />
          </FieldFrame>
        )}
        {error !== null && <ErrorNote error={error} />}
        {isOutdated && (
          <p role="status" className="outdated">
            Someone else changed this record. Your edits are kept, and you can compare both when you save.
          </p>
        )}
        <p className="actions">
          <button type="submit" className="primary" disabled={isBusy}>
            {save.isPending ? 'Saving…' : 'Save'}
          </button>
          {drafts.size > 0 ? (
            <button type="button" onClick={discard} disabled={save.isPending}>
              Discard changes
            </button>
          ) : (
            <span className="hint">All changes saved</span>
          )}
        </p>
      </Form>
      {save.conflict !== null && (
        <ConflictDialog
          at={at}
          conflict={save.conflict}
          isSaving={save.isPending}
          onMerge={merge}
          onDiscard={discard}
          onClose={save.dismiss}
        />
      )}
    </>
  );
}
