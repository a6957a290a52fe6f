import { headersOf, PluginConfigError } from '@plugin-config/client';
import { ArrowUpCircle, Pin } from 'lucide-react';
import { useState } from 'react';
import { Configuration } from '../configuration/configuration.tsx';
import { isConflict } from '../editing/is-conflict.ts';
import { ChangeDiff } from '../history/change-diff.tsx';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { pluginInfoOf } from '../record/plugin-info.ts';
import type { ScreenProperties } from '../record/use-record.ts';
import { useMayRead, useMayWrite } from '../session/session.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { errorsOf } from '../ui/error-text.ts';
import { QueryResult, useChange, useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Lacks } from './upgrade-plan.tsx';
import { useVersions } from './use-versions.ts';
import { Deprecation } from './version-list.tsx';
import { entryChanges, followedVersion } from './version-words.ts';

/** The configuration of a record, below the version that it follows if that is not the current one. */
export function VersionedConfiguration({ at, record }: ScreenProperties) {
  return (
    <>
      <RecordVersion at={at} record={record} />
      <Configuration at={at} record={record} />
    </>
  );
}

function RecordVersion({ at, record }: ScreenProperties) {
  const mayRead = useMayRead(at.projectId);
  const mayWrite = useMayWrite();
  const [isUpgrading, setUpgrading] = useState(false);
  const { data: versions = [] } = useVersions(record.plugin, mayRead && pluginInfoOf(record) !== null);
  const { followed, current, isPinned, isBehind } = followedVersion(versions, headersOf(record));
  const pin = useChange(
    async (version: string | null) => recordsOf(at).pin(at.id, { version }, { ifMatch: record }),
    { affects: recordKey(at) },
  );
  if (current === undefined || (!isPinned && !isBehind)) return null;
  const name = followed?.version;
  /** The version that a button pins the record to; null to follow the current one. */
  const other = isPinned ? null : followed?.state === 'withdrawn' ? undefined : name;
  return (
    <div className="note warn" role="note">
      {isPinned ? <Pin /> : <ArrowUpCircle />}
      <div>
        <p>
          {isPinned ? 'This record is pinned to' : 'This configuration follows'} version{' '}
          <strong>{name}</strong> of its plugin. The current one is <strong>{current.version}</strong>
          {isBehind ? ', which has another schema.' : '.'}
        </p>
        {followed !== undefined && <Deprecation version={followed} />}
        {mayWrite && (
          <p className="actions">
            {isBehind && (
              <button type="button" className="small" onClick={() => setUpgrading(true)}>
                Upgrade
              </button>
            )}
            {other !== undefined && (
              <button
                type="button"
                className="small"
                disabled={pin.isPending}
                onClick={() => pin.mutate(other)}
              >
                {other === null ? 'Follow current' : `Pin to ${other}`}
              </button>
            )}
          </p>
        )}
        <ErrorNote error={pin.error} />
      </div>
      {isUpgrading && (
        <UpgradeDialog
          at={at}
          record={record}
          version={current.version}
          onClose={() => setUpgrading(false)}
        />
      )}
    </div>
  );
}

interface DialogProperties extends ScreenProperties {
  readonly version: string;
  readonly onClose: () => void;
}

/** Shows what an upgrade would change or what it needs, and upgrades the record. */
function UpgradeDialog({ at, record, version, onClose }: DialogProperties) {
  const [force, setForce] = useState(false);
  const upgrade = { version, force };
  const tried = useRead(
    [...recordKey(at), 'upgrade', version, force],
    async (options) => recordsOf(at).upgrade(at.id, upgrade, { ...options, dryRun: true }),
    { retry: false, gcTime: 0, refetchOnWindowFocus: false },
  );
  const change = useChange(async () => recordsOf(at).upgrade(at.id, upgrade, { ifMatch: record }), {
    affects: recordKey(at),
    notice: `Upgraded to version ${version}.`,
    onSuccess: onClose,
  });
  const { error } = tried;
  const lacks = error instanceof PluginConfigError && error.status === 400 ? errorsOf(error) : null;
  const isBehind = error instanceof PluginConfigError && error.code === 'runtime_behind';
  return (
    <FormDialog
      title={`Upgrade to version ${version}`}
      submitLabel="Upgrade"
      change={change}
      isDisabled={!tried.isSuccess}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {isConflict(change.error) && (
        <p role="alert">The record has changed. Check the changes below and try again.</p>
      )}
      {isBehind ? (
        <div className="note warn" role="alert">
          <div>
            <p>{error.detail}</p>
            <p className="actions">
              <button type="button" className="small" onClick={() => setForce(true)}>
                Upgrade anyway
              </button>
            </p>
          </div>
        </div>
      ) : lacks === null ? (
        <QueryResult query={tried} what="changes">
          {(upgraded) => (
            <div className="restore-changes">
              {entryChanges(record, upgraded).map((one) => (
                <ChangeDiff key={one.field} change={one} />
              ))}
            </div>
          )}
        </QueryResult>
      ) : (
        <div role="alert">
          <p>The record cannot be upgraded yet. Correct its configuration first:</p>
          <Lacks lacks={lacks} />
        </div>
      )}
    </FormDialog>
  );
}
