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
  /** What the form edits: the label of the form. */
  readonly title: string;
  /** Says what the entries are that have no field of their own. */
  readonly othersNote?: string;
  /** The record is being changed otherwise, so that nothing can be saved now. */
  readonly isBusy?: boolean;
}

/** A form over a record, which is saved as a whole. */
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
            Somebody else has changed this record. Your edits stay. When you save, you see both.
          </p>
        )}
        <p className="actions">
          <button type="submit" className="primary" disabled={isBusy}>
            {save.isPending ? 'Saving …' : 'Save'}
          </button>
          {drafts.size > 0 ? (
            <button type="button" onClick={discard} disabled={save.isPending}>
              Discard my edits
            </button>
          ) : (
            <span className="hint">Everything is saved.</span>
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
