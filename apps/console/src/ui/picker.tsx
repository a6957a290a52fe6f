import { X } from 'lucide-react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { Combobox, type Option } from './combobox.tsx';

export interface Choosing {
  readonly chosen: readonly Option[];
  readonly onChange: (chosen: readonly Option[]) => void;
}

type Properties = Choosing & Omit<ComponentProps<typeof Combobox<Option>>, 'onChoose'>;

/** Chooses several things by a part of their names. */
export function Picker({ chosen, onChange, options, ...field }: Properties) {
  const { text, onText } = field;
  const ids = new Set(chosen.map(({ id }) => id));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || text === '') return;
    // Without a text, it closes the dialog.
    event.preventDefault();
    onText('');
  };
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      {chosen.length > 0 && (
        <p role="group" aria-label="Chosen" className="actions">
          {chosen.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              className="small"
              aria-label={`Remove ${title}`}
              onClick={({ currentTarget }) => {
                // The focus must not get lost with the button.
                currentTarget.closest('div')?.querySelector('input')?.focus();
                onChange(chosen.filter((one) => one.id !== id));
              }}
            >
              <bdi>{title}</bdi>
              <X />
            </button>
          ))}
        </p>
      )}
      <Combobox
        {...field}
        options={options.filter(({ id }) => !ids.has(id))}
        onChoose={(option) => {
          onChange([...chosen, option]);
          onText('');
        }}
      />
    </div>
  );
}
