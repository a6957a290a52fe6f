import { useId, type ReactNode } from 'react';
import { storedText, type Draft, type Field } from './field.ts';
import { SecretInput } from './secret-input.tsx';
import { ValueInput } from './value-input.tsx';

interface Properties {
  readonly field: Field;
  readonly draft: Draft | undefined;
  readonly problem: string | undefined;
  readonly onEdit: (draft: Draft | undefined) => void;
}

export function FieldInput({ field, draft, problem, onEdit }: Properties) {
  const id = useId();
  const notes = notesOf(field);
  const described = { id, describedBy: `${id}-notes ${id}-problem`, isInvalid: problem !== undefined };
  return (
    <FieldFrame id={id} field={field} notes={notes} problem={problem}>
      {field.secret === true ? (
        <SecretInput {...described} field={field} draft={draft} onEdit={onEdit} />
      ) : (
        <ValueInput
          {...described}
          field={field}
          text={draft ?? storedText(field)}
          onEdit={(text) => onEdit(text === storedText(field) ? undefined : text)}
        />
      )}
    </FieldFrame>
  );
}

interface Frame {
  readonly id: string;
  readonly field: Pick<Field, 'label' | 'required'>;
  readonly notes: readonly string[];
  readonly problem: string | undefined;
  readonly children: ReactNode;
}

export function FieldFrame({ id, field, notes, problem, children }: Frame) {
  return (
    <div className="field" data-invalid={problem !== undefined || undefined}>
      <label htmlFor={id}>
        <span>
          {field.label}
          {field.required === true && <span className="hint"> (required)</span>}
        </span>
      </label>
      {children}
      <div id={`${id}-notes`} className="hint">
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      <p id={`${id}-problem`} className="problem">
        {problem}
      </p>
    </div>
  );
}

function notesOf({ hint, default: defaultValue, secret, site }: Field): readonly string[] {
  return [
    ...(hint === undefined ? [] : [hint]),
    ...(defaultValue == null || secret === true
      ? []
      : [`Default: ${typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)}`]),
    ...(secret === true ? ['Secret: stored encrypted and never shown again.'] : []),
    ...(site === true ? ['Visible to browsers.'] : []),
  ];
}
