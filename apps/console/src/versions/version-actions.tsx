import type { PluginVersion, PluginVersionChange } from '@plugin-config/client';
import { useState } from 'react';
import { PLUGINS_KEY } from '../record/use-plugins.ts';
import { service } from '../shell/service.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { inputsFor, TextArea, TextField } from '../ui/fields.tsx';
import { localTimeOf, momentOf } from '../ui/format.ts';
import { useChange } from '../ui/queries.tsx';

interface Properties {
  readonly plugin: number;
  readonly version: PluginVersion;
}

/** The states that a version can get: the button, and what they mean. */
const ACTIONS = {
  current: [
    'Make current',
    'New records get its schema. No existing configuration changes: records with another schema keep their version until they are upgraded.',
  ],
  deprecated: ['Deprecate', 'Records that use it are shown as outdated.'],
  withdrawn: ['Withdraw', 'Nobody can choose it any more. Records that use it keep working.'],
} as const satisfies Partial<Record<PluginVersion['state'], readonly [label: string, meaning: string]>>;

type Action = keyof typeof ACTIONS;

/** Changes the state of a version. The current one changes only when another one becomes current. */
export function VersionActions({ plugin, version }: Properties) {
  const [action, setAction] = useState<Action | null>(null);
  if (version.state === 'current') return null;
  return (
    <span className="actions end">
      {(Object.keys(ACTIONS) as readonly Action[])
        .filter((state) => state === 'deprecated' || state !== version.state)
        .map((state) => (
          <button key={state} type="button" className="small" onClick={() => setAction(state)}>
            {ACTIONS[state][0]}
          </button>
        ))}
      {action !== null && (
        <StateDialog plugin={plugin} version={version} state={action} onClose={() => setAction(null)} />
      )}
    </span>
  );
}

interface DialogProperties extends Properties {
  readonly state: Action;
  readonly onClose: () => void;
}

function StateDialog({ plugin, version: { version, ...before }, state, onClose }: DialogProperties) {
  const [label, meaning] = ACTIONS[state];
  const [form, setForm] = useState({
    message: before.message ?? '',
    upgradeBy: localTimeOf(before.upgrade_by ?? ''),
  });
  const { text } = inputsFor(form, setForm);
  const change = useChange(
    async () =>
      service.plugins.updateVersion(plugin, version, {
        state,
        ...(state === 'deprecated' && deprecationOf(form)),
      }),
    { affects: PLUGINS_KEY, onSuccess: onClose },
  );
  return (
    <FormDialog
      title={`${label}: ${version}`}
      submitLabel={label}
      change={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <p>{meaning}</p>
      {state === 'deprecated' && (
        <>
          <TextArea label="Message (optional)" rows={2} maxLength={1000} {...text('message')} />
          <TextField label="Upgrade by (optional)" type="datetime-local" step="any" {...text('upgradeBy')} />
          <p className="hint">Once this time has passed, records that lose nothing are upgraded.</p>
        </>
      )}
    </FormDialog>
  );
}

function deprecationOf(form: { readonly message: string; readonly upgradeBy: string }): PluginVersionChange {
  const message = form.message.trim();
  return {
    message: message === '' ? null : message,
    upgrade_by: form.upgradeBy === '' ? null : momentOf(form.upgradeBy),
  };
}
