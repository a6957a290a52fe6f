import { Select } from '../ui/fields.tsx';
import { ReadError } from '../ui/queries.tsx';
import { usePlugins } from './use-plugins.ts';

interface Properties {
  /** An id; empty for all plugins. */
  readonly plugin: string;
  readonly onChange: (plugin: string) => void;
}

/** One of the registered plugins, or all. */
export function PluginSelect({ plugin, onChange }: Properties) {
  const { data, error } = usePlugins();
  const names = new Map([['', 'All plugins']]);
  if (plugin !== '') names.set(plugin, `Plugin ${plugin}`);
  for (const { id, name } of data ?? []) names.set(String(id), name);
  return (
    <>
      <Select label="Plugin" options={names} value={plugin} onChange={onChange} />
      <ReadError error={error} />
    </>
  );
}
