import { useState } from 'react';
import { Picker, type Choosing } from '../ui/picker.tsx';
import { projectOption, useFoundProjects } from './use-found-projects.ts';

/** Chooses projects by a part of their names or external ids. */
export function ProjectPicker(choosing: Choosing) {
  const [text, setText] = useState('');
  const { projects, ...reading } = useFoundProjects(text);
  return (
    <Picker
      label="Name or external ID of a project"
      text={text}
      onText={setText}
      options={projects.map(projectOption)}
      {...reading}
      {...choosing}
    />
  );
}
