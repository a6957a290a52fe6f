import type { Scope } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { ProjectPicker } from '../project/project-picker.tsx';
import { useKey } from '../session/session.ts';
import { Choice } from '../ui/fields.tsx';
import { SCOPES, type RightsForm } from './new-key.ts';

interface RightsProperties {
  /** The scopes to choose from. */
  readonly scopes: readonly Scope[];
  readonly rights: RightsForm;
  readonly onChange: (rights: RightsForm) => void;
}

/** The fields for what a key or a trust grants, and in which projects. */
export function RightsFields({ scopes, rights, onChange }: RightsProperties) {
  const own = useKey();
  return (
    <>
      <fieldset>
        <legend>Scopes</legend>
        {scopes.map((scope) => (
          <Choice
            key={scope}
            label={
              <>
                {SCOPES[scope]} <code className="hint">{scope}</code>
              </>
            }
            checked={rights.scopes.includes(scope)}
            onChange={(isOn) => {
              const others = rights.scopes.filter((one) => one !== scope);
              onChange({ ...rights, scopes: isOn ? [...others, scope] : others });
            }}
          />
        ))}
      </fieldset>
      <Extent
        what="projects"
        all={own.project_ids === null ? 'All projects, including later ones' : 'All projects of your key'}
        isForAll={rights.isForAll}
        onChange={(isForAll) => onChange({ ...rights, isForAll })}
      >
        <ProjectPicker chosen={rights.projects} onChange={(projects) => onChange({ ...rights, projects })} />
      </Extent>
    </>
  );
}

interface ExtentProperties {
  readonly what: 'projects' | 'plugins';
  /** The label of the option "all". */
  readonly all: string;
  readonly isForAll: boolean;
  readonly onChange: (isForAll: boolean) => void;
  /** Chooses some of them. */
  readonly children: ReactNode;
}

/** A choice between all projects or plugins and some. */
export function Extent({ what, all, isForAll, onChange, children }: ExtentProperties) {
  const choice = { type: 'radio', name: what } as const;
  return (
    <fieldset>
      <legend>{what === 'projects' ? 'Projects' : 'Plugins'}</legend>
      <Choice {...choice} label={all} checked={isForAll} onChange={() => onChange(true)} />
      <Choice {...choice} label={`These ${what}`} checked={!isForAll} onChange={() => onChange(false)} />
      {!isForAll && children}
    </fieldset>
  );
}
