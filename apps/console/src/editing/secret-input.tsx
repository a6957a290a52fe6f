import { useLayoutEffect, useRef, useState } from 'react';
import { isSecretSet } from '../record/plugin-info.ts';
import { Choice } from '../ui/fields.tsx';
import type { Draft, Field } from './field.ts';
import { referenceIn, referenceOf, referenceText, secretText } from './reference.ts';
import { ValueInput, type Described } from './value-input.tsx';

interface Properties {
  readonly described: Described;
  readonly field: Field;
  readonly draft: Draft | undefined;
  readonly onEdit: (draft: Draft | undefined) => void;
}

/** Shows whether a secret is set. It can be replaced by a value or a reference, or cleared. */
export function SecretInput({ described, field, draft, onEdit }: Properties) {
  const isSet = isSecretSet(field.stored);
  const stored = referenceOf(field.stored);
  const typed = typeof draft === 'string' ? referenceIn(draft) : undefined;
  const element = useRef<HTMLDivElement>(null);
  const [presses, setPresses] = useState(0);
  // The pressed button disappears, so the focus moves to the next control, before the next key is pressed.
  useLayoutEffect(() => {
    if (presses > 0) element.current?.querySelector<HTMLElement>('textarea, input, select, button')?.focus();
  }, [presses]);
  const button = (title: string, next: Draft | undefined) => (
    <button
      type="button"
      onClick={() => {
        onEdit(next);
        setPresses(presses + 1);
      }}
    >
      {title} <span className="unseen">{field.label}</span>
    </button>
  );
  return (
    <div className="secret" ref={element}>
      {typeof draft === 'string' ? (
        <>
          {typed === undefined ? (
            <ValueInput described={described} field={field} text={draft} onEdit={onEdit} />
          ) : (
            <input
              {...described}
              value={typed}
              placeholder="env://NAME"
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => onEdit(referenceText(target.value))}
            />
          )}
          <Choice
            label="Reference"
            aria-label={`Reference for ${field.label}`}
            checked={typed !== undefined}
            onChange={(isOn) => onEdit(isOn ? referenceText(stored ?? '') : '')}
          />
          {button(isSet ? 'Keep current' : 'Leave unset', undefined)}
        </>
      ) : (
        <>
          <output id={described.id} aria-describedby={described['aria-describedby']}>
            {draft === null ? 'Will be cleared when you save' : secretText(field.stored)}
          </output>
          {button(isSet ? 'Replace' : 'Set', stored === undefined ? '' : referenceText(stored))}
          {draft === null && button('Keep', undefined)}
          {draft !== null && isSet && field.required !== true && button('Clear', null)}
        </>
      )}
    </div>
  );
}
