import { useEffect, useRef, useState } from 'react';
import { isSecretSet } from '../record/plugin-info.ts';
import type { Draft, Field } from './field.ts';
import { ValueInput, type Described } from './value-input.tsx';

interface Properties extends Described {
  readonly field: Field;
  readonly draft: Draft | undefined;
  readonly onEdit: (draft: Draft | undefined) => void;
}

/** Says whether a secret is set, and lets it be replaced, kept or cleared. */
export function SecretInput({ field, draft, onEdit, ...described }: Properties) {
  const isSet = isSecretSet(field.stored);
  const element = useRef<HTMLDivElement>(null);
  const [acts, setActs] = useState(0);
  // The button that was pressed is gone then.
  useEffect(() => {
    if (acts > 0) element.current?.querySelector<HTMLElement>('textarea, input, select, button')?.focus();
  }, [acts]);
  const button = (title: string, next: Draft | undefined) => (
    <button
      type="button"
      onClick={() => {
        onEdit(next);
        setActs(acts + 1);
      }}
    >
      {title} <span className="unseen">{field.label}</span>
    </button>
  );
  return (
    <div className="secret" ref={element}>
      {typeof draft === 'string' ? (
        <>
          <ValueInput {...described} field={field} text={draft} onEdit={onEdit} />
          {button(isSet ? 'Keep the old one' : 'Leave it unset', undefined)}
        </>
      ) : (
        <>
          <output id={described.id} aria-describedby={described.describedBy}>
            {draft === null ? 'Will be cleared when you save' : isSet ? 'Set' : 'Not set'}
          </output>
          {button(isSet ? 'Replace' : 'Set', '')}
          {draft === null && button('Keep', undefined)}
          {draft !== null && isSet && field.required !== true && button('Clear', null)}
        </>
      )}
    </div>
  );
}
