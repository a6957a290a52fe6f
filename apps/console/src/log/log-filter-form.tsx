import { LOG_TYPES } from '@plugin-config/domain/vocabulary';
import { Choice, Form, SearchField, TextField, textIn, TimeField, useResettingForm } from '../ui/fields.tsx';
import { momentOf } from '../ui/format.ts';
import { isKnownType } from './log-bars.ts';
import { LogLevel } from './log-level.tsx';
import { logQueryOf, type LogAddress, type LogProperties } from './log-address.ts';

/** The properties of inputs for types and sources. */
const NAME_INPUT = {
  pattern: '[A-Z][A-Z0-9_]{0,31}',
  title: 'Uppercase letters, digits and underscores, starting with a letter',
  autoComplete: 'off',
};

/** The filters of a log. The service applies them, so they find entries that are not loaded, too. */
export function LogFilterForm({ address, onChange }: LogProperties) {
  const form = useResettingForm(logQueryOf(address));
  const { types, source, instance, from, to, search, around } = address;
  const isNarrow = source + instance + from + to + around !== '';
  const others = types.filter((type) => !isKnownType(type));
  const isFiltered = isNarrow || types.length > 0 || search !== '';
  return (
    <Form
      ref={form}
      role="search"
      className="toolbar log-filter"
      onSubmit={(data) => onChange(addressIn(data))}
    >
      <SearchField label="Search messages" name="search" defaultValue={search} maxLength={200} />
      <fieldset className="segmented" onChange={() => form.current?.requestSubmit()}>
        <legend className="unseen">Types</legend>
        {[...LOG_TYPES, ...others].map((type) => (
          <Choice
            key={type}
            label={<LogLevel type={type} />}
            name="type"
            value={type}
            defaultChecked={types.includes(type)}
          />
        ))}
      </fieldset>
      <details open={isNarrow}>
        <summary>More filters</summary>
        <div className="filters">
          <TextField
            label="Source"
            name="source"
            defaultValue={source}
            placeholder="PLUGIN"
            {...NAME_INPUT}
          />
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
          <TimeField label="Jump to" name="around" defaultValue={around} />
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
  const text = (name: string): string => textIn(data, name);
  const types = data.getAll('type').filter((type) => typeof type === 'string' && type !== '');
  return {
    types: [...new Set(types as string[])],
    source: text('source'),
    instance: text('instance'),
    from: momentOf(text('from')),
    to: momentOf(text('to')),
    search: text('search'),
    around: momentOf(text('around')),
    entry: null,
  };
}
