import { useLayoutEffect, useRef, type ComponentProps, type ReactNode, type RefObject } from 'react';
import { localTimeOf } from './format.ts';

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

/** A time in the user's zone; its default is in UTC, as in the address. */
export function TimeField(field: {
  readonly label: string;
  readonly name: string;
  readonly defaultValue: string;
}) {
  return (
    <TextField {...field} type="datetime-local" step="any" defaultValue={localTimeOf(field.defaultValue)} />
  );
}

export function TextArea({ label, onChange, ...textarea }: Labelled<'textarea', string>) {
  return (
    <label>
      <span>{label}</span>
      <textarea {...textarea} onChange={({ target }) => onChange?.(target.value)} />
    </label>
  );
}

type SelectProperties = Labelled<'select', string> & {
  readonly options: Iterable<readonly [value: string, text: string]>;
};

export function Select({ label, options, onChange, ...select }: SelectProperties) {
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

type NameOf<Values, Value> = {
  [Name in keyof Values]: Values[Name] extends Value ? Name : never;
}[keyof Values];

/** Returns the properties of the inputs that edit the values of a form. */
export function inputsFor<Values extends object>(values: Values, onChange: (values: Values) => void) {
  return {
    text: (name: NameOf<Values, string>) => ({
      value: values[name] as string,
      onChange: (value: string) => onChange({ ...values, [name]: value }),
    }),
    choice: (name: NameOf<Values, boolean>) => ({
      checked: values[name] as boolean,
      onChange: (value: boolean) => onChange({ ...values, [name]: value }),
    }),
  };
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

/** A form whose fields default to an address. When the address changes, it is reset without losing the focus. */
export function useResettingForm(address: string): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(address);
  useLayoutEffect(() => {
    if (shown.current !== address) form.current?.reset();
    shown.current = address;
  }, [address]);
  return form;
}

/** Returns the trimmed text of a field that is not a file. */
export function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
