import type { ConfigRecord } from '@plugin-config/client';
import { Choice, Select, TextField } from '../ui/fields.tsx';
import type { Filters } from './filters.ts';
import { pluginName } from './names.ts';

interface Properties {
  readonly filters: Filters;
  /** The records among which the user chooses. */
  readonly records: readonly ConfigRecord[];
  readonly onChange: (change: Partial<Filters>) => void;
}

const ENABLED = { all: null, true: true, false: false } as const;
const STATES = Object.entries({ all: 'All', true: 'Enabled', false: 'Disabled' });

/** Chooses which records are shown. */
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
      <Choice label="Deleted ones" checked={deleted} onChange={(isOn) => onChange({ deleted: isOn })} />
    </search>
  );
}

/** The plugins of the records with their names, and the chosen one. */
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
