import type { KeyboardEvent } from 'react';
import type { Field } from './field.ts';

export interface Described {
  readonly id: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
}

interface Properties extends Described {
  readonly field: Field;
  readonly text: string;
  readonly onEdit: (text: string) => void;
}

/** An input for the text of a value, by its type. */
export function ValueInput({ id, describedBy, isInvalid, field, text, onEdit }: Properties) {
  const common = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
    'aria-required': field.required === true,
    value: text,
    autoComplete: 'off',
  };
  const onChange = ({ target }: { readonly target: { readonly value: string } }): void =>
    onEdit(target.value);
  if (field.type === 'boolean' || field.type === 'choice') {
    return (
      <select {...common} onChange={onChange}>
        {optionsOf(field).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (field.type === 'number') {
    return <input {...common} inputMode="decimal" spellCheck={false} onChange={onChange} />;
  }
  return (
    <textarea
      {...common}
      rows={field.type === 'json' ? 4 : 1}
      className={className(field)}
      spellCheck={false}
      onChange={onChange}
      {...(field.type === 'string' && { onKeyDown: submitOnEnter })}
    />
  );
}

/** Most texts have one line, so Enter saves, and Shift+Enter starts a new line. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** A stored value that is no longer allowed stays selectable until another is chosen. */
function optionsOf({ type, choices = [], stored, secret }: Field): readonly Option[] {
  const options: readonly Option[] =
    type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : choices.map((choice) => ({
          value: JSON.stringify(choice),
          label: choice === '' ? '(empty)' : choice,
        }));
  const own = secret === true || stored === undefined ? '' : JSON.stringify(stored);
  const isKnown = own === '' || options.some(({ value }) => value === own);
  return [
    { value: '', label: 'Not set' },
    ...options,
    ...(isKnown ? [] : [{ value: own, label: `${own} (no longer allowed)` }]),
  ];
}

function className({ type, secret }: Field): string {
  return [...(type === 'json' ? ['code'] : []), ...(secret === true ? ['covered'] : [])].join(' ');
}
