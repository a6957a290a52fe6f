import { Blocks } from 'lucide-react';
import { useState } from 'react';
import { Picker, type Choosing } from '../ui/picker.tsx';
import { usePlugins } from './use-plugins.ts';

/** Chooses registered plugins by a part of their names or slugs. */
export function PluginPicker(choosing: Choosing) {
  const [text, setText] = useState('');
  const { data = [], isLoading, error } = usePlugins();
  const wanted = text.trim().toLowerCase();
  const options = data
    .map(({ id, name, slug }) => ({
      id: String(id),
      icon: Blocks,
      title: name,
      hint: slug ?? `Plugin ${id}`,
    }))
    .filter(({ title, hint }) => `${title}\n${hint}`.toLowerCase().includes(wanted));
  return (
    <Picker
      label="Name or slug of a plugin"
      text={text}
      onText={setText}
      options={options}
      isPending={isLoading}
      error={error}
      {...choosing}
    />
  );
}
