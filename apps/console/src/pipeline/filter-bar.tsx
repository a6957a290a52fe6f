import type { ConfigRecord } from '@plugin-config/client';
import type { Filters } from './filters.ts';
import { pluginName } from './names.ts';

interface Properties {
  readonly filters: Filters;
  /** The records among which the user chooses. */
  readonly records: readonly ConfigRecord[];
  readonly onChange: (change: Partial<Filters>) => void;
}

const ENABLED = { all: null, true: true, false: false } as const;

/** Chooses which records are shown. */
export function FilterBar({ filters, records, onChange }: Properties) {
  const { deleted, enabled, plugin, errors, search } = filters;
  return (
    <search className="filters">
      <label>
        Search
        <input type="search" value={search} onChange={({ target }) => onChange({ search: target.value })} />
      </label>
      <label>
        Plugin
        <select
          value={plugin ?? ''}
          onChange={({ target }) => onChange({ plugin: target.value === '' ? null : Number(target.value) })}
        >
          <option value="">All</option>
          {pluginsOf(records, plugin).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {!deleted && (
        <>
          <label>
            State
            <select
              value={String(enabled ?? 'all')}
              onChange={({ target }) => onChange({ enabled: ENABLED[target.value as keyof typeof ENABLED] })}
            >
              <option value="all">All</option>
              <option value="true">Enabled</option>
              <option value="false">Disabled</option>
            </select>
          </label>
          <label className="choice">
            <input
              type="checkbox"
              checked={errors}
              onChange={({ target }) => onChange({ errors: target.checked })}
            />
            With errors
          </label>
        </>
      )}
      <label className="choice">
        <input
          type="checkbox"
          checked={deleted}
          onChange={({ target }) => onChange({ deleted: target.checked })}
        />
        Deleted ones
      </label>
    </search>
  );
}

/** The plugins of the records with their names, and the chosen one. */
function pluginsOf(
  records: readonly ConfigRecord[],
  chosen: number | null,
): readonly (readonly [number, string])[] {
  const names = new Map(chosen === null ? [] : [[chosen, `Plugin ${chosen}`]]);
  const named = new Set<number>();
  for (const record of records) {
    if (named.has(record.plugin)) continue;
    named.add(record.plugin);
    names.set(record.plugin, pluginName(record));
  }
  return [...names].toSorted(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true }));
}
