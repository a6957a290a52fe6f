import { useId } from 'react';
import { storedText, type Draft, type Drafts, type Field } from './field.ts';
import type { Problems } from './problems.ts';
import { SecretInput } from './secret-input.tsx';
import { ValueInput } from './value-input.tsx';

interface Properties {
  readonly field: Field;
  readonly draft: Draft | undefined;
  readonly problem: string | undefined;
  readonly onEdit: (draft: Draft | undefined) => void;
}

interface ListProperties {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  readonly problems: Problems;
  readonly onEdit: (name: string, draft: Draft | undefined) => void;
}

export function FieldInputs({ fields, drafts, problems, onEdit }: ListProperties) {
  return fields.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      draft={drafts.get(field.name)}
      problem={problems.get(field.name)}
      onEdit={(draft) => onEdit(field.name, draft)}
    />
  ));
}

/** The input of a field with its label, notes and problem. */
function FieldInput({ field, draft, problem, onEdit }: Properties) {
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
      <div id={`${id}-notes`} className="hint">
        {notesOf(field).map((note) => (
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
    hint ?? '',
    defaultValue == null || secret === true
      ? ''
      : `Default: ${typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)}`,
    secret === true ? 'Secret: stored encrypted and never shown again.' : '',
    site === true ? 'Visible to browsers.' : '',
  ].filter((note) => note !== '');
}
