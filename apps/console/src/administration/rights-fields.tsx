import type { Scope } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { Choice } from '../ui/fields.tsx';
import { SCOPES } from './new-key.ts';

interface ScopesProperties {
  readonly scopes: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

/** A choice of scopes. */
export function ScopeChoices({ scopes, chosen, onChange }: ScopesProperties) {
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
