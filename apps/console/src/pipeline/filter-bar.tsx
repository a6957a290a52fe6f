import type { ConfigRecord } from '@plugin-config/client';
import { Choice, Select, TextField } from '../ui/fields.tsx';
import type { Filters } from './filters.ts';
import { pluginName } from './names.ts';

interface Properties {
  readonly filters: Filters;
  readonly records: readonly ConfigRecord[];
  readonly onChange: (change: Partial<Filters>) => void;
}

const ENABLED = { all: null, true: true, false: false } as const;
const STATES = Object.entries({ all: 'All', true: 'Enabled', false: 'Disabled' });

export function FilterBar({ filters, records, onChange }: Properties) {
  const { deleted, enabled, plugin, errors, search } = filters;
  return (
    <search className="filters">
      <TextField
        label="Search"
        type="search"
        value={search}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label="Plugin"
        value={plugin ?? ''}
        options={[['', 'All'], ...pluginsOf(records, plugin)]}
        onChange={(id) => onChange({ plugin: id === '' ? null : Number(id) })}
      />
      {!deleted && (
        <>
          <Select
            label="State"
            value={String(enabled ?? 'all')}
            options={STATES}
            onChange={(state) => onChange({ enabled: ENABLED[state as keyof typeof ENABLED] })}
          />
          <Choice label="With errors" checked={errors} onChange={(isOn) => onChange({ errors: isOn })} />
        </>
      )}
      <Choice label="Show deleted" checked={deleted} onChange={(isOn) => onChange({ deleted: isOn })} />
    </search>
  );
}

/** Lists the plugins of the records by name, including the chosen one. */
function pluginsOf(
  records: readonly ConfigRecord[],
  chosen: number | null,
): readonly (readonly [string, string])[] {
  const names = new Map(chosen === null ? [] : [[chosen, `Plugin ${chosen}`]]);
  const named = new Set<number>();
  for (const record of records) {
    if (named.has(record.plugin)) continue;
    named.add(record.plugin);
    names.set(record.plugin, pluginName(record));
  }
  return [...names]
    .map(([id, name]) => [String(id), name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true }));
}
