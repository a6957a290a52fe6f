import type { Scope } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { ProjectPicker } from '../project/project-picker.tsx';
import { useKey } from '../session/session.ts';
import { Choice } from '../ui/fields.tsx';
import { SCOPES, type KeyForm } from './new-key.ts';

type Rights = Pick<KeyForm, 'scopes' | 'isForAll' | 'projects'>;

interface RightsProperties {
  /** The scopes to choose from. */
  readonly scopes: readonly Scope[];
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
}

/** The fields for what a key or a trust grants, and in which projects. */
export function RightsFields({ scopes, rights, onChange }: RightsProperties) {
  const own = useKey();
  return (
    <>
      <ScopeChoices
        scopes={scopes}
        chosen={rights.scopes}
        onChange={(chosen) => onChange({ ...rights, scopes: chosen })}
      />
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

interface ScopesProperties {
  readonly scopes: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

/** A choice of scopes. */
function ScopeChoices({ scopes, chosen, onChange }: ScopesProperties) {
  return (
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
          checked={chosen.includes(scope)}
          onChange={(isOn) => {
            const others = chosen.filter((one) => one !== scope);
            onChange(isOn ? [...others, scope] : others);
          }}
        />
      ))}
    </fieldset>
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
