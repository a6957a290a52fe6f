import type { ComponentProps, ReactNode } from 'react';
import { localTimeOf } from './local-time.ts';

/** The properties of an element plus a label. `onChange` receives the value. */
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
  /** In UTC, as in the address. */
  readonly defaultValue: string;
}

/** A time in the user's zone. */
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

/** A checkbox, or a radio button if `type` says so. */
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

/** A form handled by the page instead of the browser. */
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
