import { PluginConfigError, type PluginUpgrade, type UpgradePlan } from '@plugin-config/client';
import { ArrowUpCircle, X } from 'lucide-react';
import { useState } from 'react';
import { service } from '../shell/service.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { Choice } from '../ui/fields.tsx';
import { formatCount } from '../ui/format.ts';
import { useChange, useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { versionsKey } from './use-versions.ts';
import { progressText, upgradeText } from './version-words.ts';

const POLL_MS = 1000;

interface Properties {
  readonly plugin: number;
  readonly version: string;
}

const upgradeKey = ({ plugin, version }: Properties) => [...versionsKey(plugin), version, 'upgrade'] as const;

/** The last upgrade of all records to a version; null if there was none. */
export function useUpgrade(at: Properties) {
  return useRead(
    upgradeKey(at),
    async (options): Promise<PluginUpgrade | null> => {
      try {
        return await service.plugins.upgrade(at.plugin, at.version, options);
      } catch (error) {
        if (error instanceof PluginConfigError && error.status === 404) return null;
        throw error;
      }
    },
    { refetchInterval: ({ state }) => state.data?.state === 'running' && POLL_MS },
  );
}

/** What the last upgrade of all records has done, and a button that cancels it while it is running. */
export function LastUpgrade({ at, upgrade }: { readonly at: Properties; readonly upgrade: PluginUpgrade }) {
  const { state, progress, actor, started_at: started } = upgrade;
  const isRunning = state === 'running';
  const cancel = useChange(async () => service.plugins.cancelUpgrade(at.plugin, at.version), {
    affects: upgradeKey(at),
  });
  return (
    <div role="status" className={`note ${state === 'succeeded' ? 'good' : ''}`}>
      <div>
        <p>
          <strong>{progressText(upgrade)}</strong>{' '}
          <span className="hint">
            Started by {actor.label} <Time at={started} />
          </span>
        </p>
        {isRunning && (
          <p className="actions">
            <progress aria-label="Progress of the upgrade" max={progress.total} value={progress.done} />
            <button
              type="button"
              className="small"
              disabled={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              <X />
              Cancel
            </button>
          </p>
        )}
        <ErrorNote error={cancel.error} />
      </div>
    </div>
  );
}

/** The button that upgrades all records, after a confirmation. */
export function UpgradeAll({ at, plan }: { readonly at: Properties; readonly plan: UpgradePlan }) {
  const [isOpen, setOpen] = useState(false);
  const { clean, lossy, unsupported } = plan;
  return (
    <>
      <button
        type="button"
        className="primary"
        disabled={clean + lossy + unsupported === 0}
        onClick={() => setOpen(true)}
      >
        <ArrowUpCircle />
        Upgrade all
      </button>
      {isOpen && <UpgradeDialog at={at} plan={plan} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DialogProperties {
  readonly at: Properties;
  readonly plan: UpgradePlan;
  readonly onClose: () => void;
}

function UpgradeDialog({ at, plan, onClose }: DialogProperties) {
  const { clean, lossy, unsupported, judged, total } = plan;
  const [force, setForce] = useState(false);
  const upgrade = useChange(async () => service.plugins.upgradeRecords(at.plugin, at.version, { force }), {
    affects: upgradeKey(at),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={`Upgrade all records to ${at.version}`}
      submitLabel="Upgrade"
      change={upgrade}
      isDisabled={!force && clean + lossy === 0}
      onSubmit={() => upgrade.mutate()}
      onClose={onClose}
    >
      <p>{upgradeText(plan, force)}</p>
      {judged < total && (
        <p className="hint">
          Only {formatCount(judged)} of {formatCount(total)} records were counted. The others are upgraded,
          too.
        </p>
      )}
      {unsupported > 0 && (
        <Choice
          label="Also upgrade records whose runtimes do not know the new schema"
          checked={force}
          onChange={setForce}
        />
      )}
      <p className="hint">Each record can be restored to its earlier revision.</p>
    </FormDialog>
  );
}
