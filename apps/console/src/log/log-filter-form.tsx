import { Form, TextField, TimeField } from '../ui/fields.tsx';
import { momentOf } from '../ui/local-time.ts';
import { useResettingForm } from '../ui/use-resetting-form.ts';
import { logQueryOf, type LogAddress } from './log-address.ts';

const TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'];
/** The properties of inputs for types and sources. */
const NAME_INPUT = {
  pattern: '[A-Z][A-Z0-9_]{0,31}',
  title: 'Uppercase letters, digits and underscores, starting with a letter',
  autoComplete: 'off',
};
const SOURCES = ['SYSTEM', 'PLUGIN', 'CONSOLE'];

interface Properties {
  readonly address: LogAddress;
  readonly onChange: (address: LogAddress) => void;
}

/** The filters of a log. The service applies them, so they find entries that are not loaded, too. */
export function LogFilterForm({ address, onChange }: Properties) {
  const form = useResettingForm(logQueryOf(address));
  const { types, source, instance, from, to, search } = address;
  const isNarrow = source !== '' || instance !== '' || from !== '' || to !== '';
  const others = types.filter((type) => !TYPES.includes(type));
  const isFiltered = isNarrow || types.length > 0 || search !== '';
  return (
    <Form ref={form} role="search" className="log-filter" onSubmit={(data) => onChange(addressIn(data))}>
      <label className="log-search">
        <span>Search messages</span>
        <input type="search" name="search" defaultValue={search} maxLength={200} autoComplete="off" />
      </label>
      <fieldset onChange={() => form.current?.requestSubmit()}>
        <legend>Types</legend>
        {[...TYPES, ...others].map((type) => (
          <label key={type}>
            <input type="checkbox" name="type" value={type} defaultChecked={types.includes(type)} />
            {type}
          </label>
        ))}
      </fieldset>
      <details open={isNarrow}>
        <summary>More filters</summary>
        <div className="log-more">
          <TextField label="Source" name="source" defaultValue={source} list="log-sources" {...NAME_INPUT} />
          <datalist id="log-sources">
            {SOURCES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </datalist>
          <TextField label="Other type" name="type" {...NAME_INPUT} />
          <TextField
            label="Instance"
            name="instance"
            defaultValue={instance}
            placeholder="UUID"
            autoComplete="off"
          />
          <TimeField label="From" name="from" defaultValue={from} />
          <TimeField label="Until" name="to" defaultValue={to} />
        </div>
      </details>
      <div className="actions">
        <button type="submit">Apply filters</button>
        {isFiltered && (
          <button type="button" onClick={() => onChange(addressIn(new FormData()))}>
            Clear filters
          </button>
        )}
      </div>
    </Form>
  );
}

function addressIn(data: FormData): LogAddress {
  const text = (name: string): string => textOf(data.get(name)).trim();
  return {
    types: [...new Set(data.getAll('type').map(textOf))].filter((type) => type !== ''),
    source: text('source'),
    instance: text('instance'),
    from: momentOf(text('from')),
    to: momentOf(text('to')),
    search: text('search'),
    entry: null,
  };
}

/** A field of this form is never a file. */
const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '');
