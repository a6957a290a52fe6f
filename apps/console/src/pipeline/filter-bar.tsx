import type { ConfigRecord } from '@plugin-config/client';
import { pluginName } from '../record/plugin-info.ts';
import { Choice, inputsFor, Select, TextField } from '../ui/fields.tsx';
import type { Filters } from './filters.ts';

interface Properties {
  readonly filters: Filters;
  readonly records: readonly ConfigRecord[];
  readonly onChange: (filters: Filters) => void;
}

const ENABLED = { all: null, true: true, false: false } as const;
const STATES = Object.entries({ all: 'All', true: 'Enabled', false: 'Disabled' });

/** Filters the records of a family. The address holds the filters. */
export function FilterBar({ filters, records, onChange }: Properties) {
  const { deleted, enabled, plugin } = filters;
  const { text, choice } = inputsFor(filters, onChange);
  return (
    <search className="filters">
      <TextField label="Search" type="search" {...text('search')} />
      <Select
        label="Plugin"
        value={plugin ?? ''}
        options={[['', 'All'], ...pluginsOf(records, plugin)]}
        onChange={(id) => onChange({ ...filters, plugin: id === '' ? null : Number(id) })}
      />
      {!deleted && (
        <>
          <Select
            label="State"
            value={String(enabled ?? 'all')}
            options={STATES}
            onChange={(state) => onChange({ ...filters, enabled: ENABLED[state as keyof typeof ENABLED] })}
          />
          <Choice label="With errors" {...choice('errors')} />
        </>
      )}
      <Choice label="Show deleted" {...choice('deleted')} />
    </search>
  );
}

/** Lists the plugins of the records by name, including the chosen one. */
function pluginsOf(records: readonly ConfigRecord[], chosen: number | null) {
  const names = new Map(chosen === null ? [] : [[String(chosen), `Plugin ${chosen}`]]);
  for (const record of records) names.set(String(record.plugin), pluginName(record));
  return [...names].toSorted(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true }));
}
