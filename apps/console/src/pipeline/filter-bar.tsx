import type { ConfigRecord } from '@plugin-config/client';
import { AlignJustify, Menu } from 'lucide-react';
import { pluginName } from '../record/plugin-info.ts';
import { usePreference } from '../shell/preferences.ts';
import { Choice, inputsFor, SearchField, Segmented, Select } from '../ui/fields.tsx';
import type { Filters } from './filters.ts';

const STATES = Object.entries({ '': 'Any state', true: 'Enabled', false: 'Disabled' });

interface Properties {
  readonly filters: Filters;
  readonly records: readonly ConfigRecord[];
  readonly onChange: (filters: Filters) => void;
}

/** Filters the records of a family. The address holds the filters. */
export function FilterBar({ filters, records, onChange }: Properties) {
  const { text } = inputsFor(filters, onChange);
  const choice = (name: 'errors' | 'deleted' | 'valid' | 'outdated', label: string, chosen = 'true') => (
    <Choice
      label={label}
      checked={filters[name] === chosen}
      onChange={(isOn) => onChange({ ...filters, [name]: isOn ? chosen : '' })}
    />
  );
  return (
    <search className="toolbar">
      <SearchField label="Search" {...text('search')} />
      <Select
        label="Plugin"
        options={[['', 'All plugins'], ...pluginsOf(records, filters.plugin)]}
        {...text('plugin')}
      />
      {filters.deleted !== 'true' && (
        <>
          <Select label="State" options={STATES} {...text('enabled')} />
          {choice('errors', 'With errors')}
          {choice('valid', 'Invalid', 'false')}
          {choice('outdated', 'Outdated')}
        </>
      )}
      {choice('deleted', 'Show deleted')}
      <Density />
    </search>
  );
}

const DENSITIES = [
  ['comfortable', 'Comfortable rows', <Menu key="comfortable" />],
  ['compact', 'Compact rows', <AlignJustify key="compact" />],
] as const;

/** The height of the rows of all lists. */
function Density() {
  const [density, setDensity] = usePreference('density');
  return (
    <div className="end">
      <Segmented label="Density" value={density} options={DENSITIES} onChange={setDensity} />
    </div>
  );
}

/** Lists the plugins of the records by name, including the chosen one. */
function pluginsOf(records: readonly ConfigRecord[], chosen: string) {
  const names = new Map(chosen === '' ? [] : [[chosen, `Plugin ${chosen}`]]);
  for (const record of records) names.set(String(record.plugin), pluginName(record));
  return [...names].toSorted(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true }));
}
