import type { Json } from '@plugin-config/client';
import type { KeyboardEvent } from 'react';
import { localTimeOf, momentOf } from '../ui/format.ts';
import type { Field } from './field.ts';

/** The attributes that connect an input to its label, notes and problem. */
export interface Described {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
}

interface Properties {
  readonly described: Described;
  readonly field: Field;
  readonly text: string;
  readonly onEdit: (text: string) => void;
}

export function ValueInput({ described, field, text, onEdit }: Properties) {
  const { type, required, secret, isTime = false } = field;
  const common = {
    ...described,
    'aria-required': required === true,
    value: text,
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onEdit(target.value),
  };
  if (type === 'boolean' || type === 'choice') {
    return (
      <select {...common}>
        {optionsOf(field).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (isTime) {
    return (
      <input
        {...common}
        type="datetime-local"
        step="any"
        value={localTimeOf(text)}
        onChange={({ target }) => onEdit(momentOf(target.value))}
      />
    );
  }
  if (type === 'number') return <input {...common} inputMode="decimal" spellCheck={false} />;
  return (
    <textarea
      {...common}
      rows={type === 'json' ? 4 : 1}
      className={`${type === 'json' ? 'code' : ''} ${secret === true ? 'covered' : ''}`}
      spellCheck={false}
      {...(type === 'string' && { onKeyDown: submitOnEnter })}
    />
  );
}

/** Most texts have one line, so Enter saves, and Shift+Enter starts a new line. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** A stored value that is no longer allowed stays selectable until another is chosen. */
function optionsOf({
  type,
  choices = [],
  choiceLabels = [],
  stored,
  secret,
}: Field): readonly (readonly [value: string, label: string])[] {
  const options = new Map<string, string>([['', 'Not set']]);
  if (type === 'boolean') options.set('true', 'Yes').set('false', 'No');
  for (const [index, choice] of choices.entries())
    options.set(JSON.stringify(choice), choiceLabels[index] ?? choiceText(choice));
  const own = secret === true || stored === undefined ? '' : JSON.stringify(stored);
  if (!options.has(own)) options.set(own, `${choiceText(stored ?? null)} (no longer allowed)`);
  return [...options];
}

const choiceText = (choice: Json): string =>
  typeof choice === 'string' ? choice || '(empty)' : JSON.stringify(choice);
