import { Search } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type ComponentProps, type ReactNode, type RefObject } from 'react';
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

/** The search of a toolbar. */
export function SearchField({ label, ...input }: Labelled<'input', string> & { readonly label: string }) {
  return (
    <div className="search">
      <Search />
      <TextField label={label} type="search" placeholder={label} autoComplete="off" {...input} />
    </div>
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

interface SegmentedProperties<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** The title of each value, and what it shows: an icon or a text. */
  readonly options: readonly (readonly [value: Value, title: string, shown: ReactNode])[];
  readonly onChange: (value: Value) => void;
}

/** A choice between a few values, side by side. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentedProperties<Value>) {
  const name = useId();
  return (
    <fieldset className="segmented">
      <legend className="unseen">{label}</legend>
      {options.map(([one, title, shown]) => (
        <label key={one} title={title}>
          <input
            type="radio"
            name={name}
            aria-label={title}
            checked={one === value}
            onChange={() => onChange(one)}
          />
          {shown}
        </label>
      ))}
    </fieldset>
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

/**
 * A form whose fields default to an address. When the address changes, its inputs are reset without losing the focus.
 * Others need a key, since `reset` does not know their defaults.
 */
export function useResettingForm(address: string): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(address);
  useLayoutEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    for (const input of form.current?.querySelectorAll('input') ?? []) {
      input.value = input.defaultValue;
      input.checked = input.defaultChecked;
    }
  }, [address]);
  return form;
}

/** Returns the trimmed text of a field that is not a file. */
export function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
