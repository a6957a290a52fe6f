import type { PluginUpgrade, PluginVersion } from '@plugin-config/client';
import { ChevronLeft, RotateCw, Tag } from 'lucide-react';
import { Link } from 'wouter';
import { usePlugin } from '../record/use-plugins.ts';
import { mayEverywhere, useKey } from '../session/session.ts';
import { pluginPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { isNotFound } from '../ui/error-text.ts';
import { Panel } from '../ui/panel.tsx';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { LastUpgrade, UpgradeAll, useUpgrade } from './upgrade-all.tsx';
import { PlanTable } from './upgrade-plan.tsx';
import { useVersions, versionsKey } from './use-versions.ts';
import { VersionBadge } from './version-badge.tsx';
import { VersionActions } from './version-actions.tsx';
import { Deprecation } from './version-list.tsx';

interface Properties {
  readonly plugin: number;
  readonly version: string;
}

/** A version of a plugin, and what an upgrade of all records to it would do. */
export function VersionPage({ plugin, version: name }: Properties) {
  const registered = usePlugin(plugin);
  const query = useVersions(plugin);
  return (
    <>
      <p className="hint">
        <Link href={pluginPath(plugin)} className="with-icon">
          <ChevronLeft />
          {registered.data?.name ?? `Plugin ${plugin}`}
        </Link>
      </p>
      {isNotFound(query.error) ? (
        <Missing name={name} />
      ) : (
        <QueryResult query={query} what="version">
          {(versions) => {
            const version = versions.find((one) => one.version === name);
            return version === undefined ? (
              <Missing name={name} />
            ) : (
              <Version plugin={plugin} version={version} />
            );
          }}
        </QueryResult>
      )}
    </>
  );
}

const Missing = ({ name }: { readonly name: string }) => (
  <Empty icon={Tag} title={`Version ${name} is not registered`} />
);

function Version({ plugin, version }: { readonly plugin: number; readonly version: PluginVersion }) {
  const key = useKey();
  return (
    <>
      <header className="actions">
        <h2>Version {version.version}</h2>
        <VersionBadge state={version.state} />
        <span className="hint">
          Schema version {version.schema_version}, registered <Time at={version.registered_at} />
        </span>
        {mayEverywhere(key, 'plugin_registry:write') && <VersionActions plugin={plugin} version={version} />}
      </header>
      <Deprecation version={version} />
      {version.state !== 'withdrawn' && mayEverywhere(key, 'plugin:read') && (
        <Upgrade at={{ plugin, version: version.version }} />
      )}
    </>
  );
}

function Upgrade({ at }: { readonly at: Properties }) {
  return (
    <QueryResult query={useUpgrade(at)} what="upgrade">
      {(upgrade) => <Plan at={at} upgrade={upgrade} />}
    </QueryResult>
  );
}

/** The plan reads all records, so it is made again only on request, and after an upgrade. */
function Plan({ at, upgrade }: { readonly at: Properties; readonly upgrade: PluginUpgrade | null }) {
  const mayUpgrade = mayEverywhere(useKey(), 'plugin:write');
  const { plugin, version } = at;
  const query = useRead(
    [...versionsKey(plugin), version, 'plan', upgrade?.finished_at],
    async (options) => service.plugins.planUpgrade(plugin, version, options),
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );
  return (
    <Panel
      title="Upgrade of all records"
      actions={
        <button
          type="button"
          className="small end"
          disabled={query.isFetching}
          onClick={() => void query.refetch()}
        >
          <RotateCw />
          Plan again
        </button>
      }
    >
      {upgrade !== null && <LastUpgrade at={at} upgrade={upgrade} />}
      <QueryResult query={query} what="plan">
        {(plan) => (
          <div className="stack">
            {mayUpgrade && upgrade?.state !== 'running' && (
              <p className="actions">
                <UpgradeAll at={at} plan={plan} />
              </p>
            )}
            <div>
              <PlanTable plan={plan} />
            </div>
          </div>
        )}
      </QueryResult>
    </Panel>
  );
}
