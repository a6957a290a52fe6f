import type { ComponentProps, ReactNode } from 'react';
import { localTimeOf } from './local-time.ts';

/** The properties of an element, with a label. The listener gets the value. */
type Labelled<Tag extends 'input' | 'select' | 'textarea', Value> = Omit<
  ComponentProps<Tag>,
  'onChange' | 'children'
> & {
  readonly label: ReactNode;
  readonly onChange?: (value: Value) => void;
};

export function TextField({ label, onChange, ...input }: Labelled<'input', string>) {
  return (
    <label>
      <span>{label}</span>
      <input {...input} onChange={({ target }) => onChange?.(target.value)} />
    </label>
  );
}

interface TimeProperties {
  readonly label: string;
  readonly name: string;
  /** In UTC, as the address has it. */
  readonly defaultValue: string;
}

/** A time in the reader's zone. */
export function TimeField({ defaultValue, ...field }: TimeProperties) {
  return <TextField {...field} type="datetime-local" step="any" defaultValue={localTimeOf(defaultValue)} />;
}

export function TextArea({ label, onChange, ...textarea }: Labelled<'textarea', string>) {
  return (
    <label>
      <span>{label}</span>
      <textarea {...textarea} onChange={({ target }) => onChange?.(target.value)} />
    </label>
  );
}

/** A choice between texts, by their values. */
export function Select({
  label,
  options,
  onChange,
  ...select
}: Labelled<'select', string> & { readonly options: Iterable<readonly [value: string, text: string]> }) {
  return (
    <label>
      <span>{label}</span>
      <select {...select} onChange={({ target }) => onChange?.(target.value)}>
        {[...options].map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A checkbox, or a radio button by its `type`. */
export function Choice({ label, onChange, type = 'checkbox', ...input }: Labelled<'input', boolean>) {
  return (
    <label className="choice">
      <input {...input} type={type} onChange={({ target }) => onChange?.(target.checked)} />
      <span>{label}</span>
    </label>
  );
}

type FormProperties = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  readonly onSubmit: (data: FormData) => void;
};

/** A form that the page handles. */
export function Form({ onSubmit, ...form }: FormProperties) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    />
  );
}
