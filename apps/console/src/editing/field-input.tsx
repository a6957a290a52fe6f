import { useId } from 'react';
import { storedText, type Draft, type Field } from './field.ts';
import { SecretInput } from './secret-input.tsx';
import { ValueInput } from './value-input.tsx';

interface Properties {
  readonly field: Field;
  readonly draft: Draft | undefined;
  readonly problem: string | undefined;
  readonly onEdit: (draft: Draft | undefined) => void;
}

/** The input of a field with its label, notes and problem. */
export function FieldInput({ field, draft, problem, onEdit }: Properties) {
  const id = useId();
  const described = {
    id,
    'aria-describedby': `${id}-notes ${id}-problem`,
    'aria-invalid': problem !== undefined,
  };
  return (
    <div className="field" data-invalid={problem !== undefined || undefined}>
      <label htmlFor={id}>
        <span>
          {field.label}
          {field.required === true && <span className="hint"> (required)</span>}
        </span>
      </label>
      {field.secret === true ? (
        <SecretInput described={described} field={field} draft={draft} onEdit={onEdit} />
      ) : (
        <ValueInput
          described={described}
          field={field}
          text={draft ?? storedText(field)}
          onEdit={(text) => onEdit(text === storedText(field) ? undefined : text)}
        />
      )}
      <Notes id={id} field={field} />
      <p id={`${id}-problem`} className="problem">
        {problem}
      </p>
    </div>
  );
}

/** What describes the input with an id. */
export function Notes({
  id,
  field,
}: {
  readonly id: string;
  readonly field: Omit<Field, 'type' | 'stored'>;
}) {
  const { hint, default: given, secret, site, isTime } = field;
  const notes = [
    hint ?? '',
    isTime === true ? 'In your time zone.' : '',
    given == null || secret === true
      ? ''
      : `Default: ${typeof given === 'string' ? given : JSON.stringify(given)}`,
    secret === true ? 'Secret: stored encrypted and never shown again.' : '',
    site === true ? 'Visible to browsers.' : '',
  ];
  return (
    <div id={`${id}-notes`} className="hint">
      {notes.map((note) => note !== '' && <p key={note}>{note}</p>)}
    </div>
  );
}
