import type { ListedPluginVersion, PluginVersion } from '@plugin-config/client';
import { Link } from 'wouter';
import { versionPath } from '../shell/addresses.ts';
import { recordsText } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { Time } from '../ui/texts.tsx';
import { VersionBadge } from './version-badge.tsx';

interface Properties {
  readonly plugin: number;
  readonly versions: readonly ListedPluginVersion[];
}

/** The versions of a plugin, each with a link to its plan. */
export function VersionList({ plugin, versions }: Properties) {
  return (
    <Panel title="Versions">
      <ol className="rows">
        {versions.map((version) => (
          <li key={version.version}>
            <div>
              <span className="actions">
                <Link href={versionPath(plugin, version.version)}>{version.version}</Link>
                <VersionBadge state={version.state} />
                <span className="hint">
                  Schema version {version.schema_version}
                  {version.records !== null && `, ${recordsText(version.records)}`}
                </span>
              </span>
              <Deprecation version={version} />
            </div>
            <span className="hint">
              Registered <Time at={version.registered_at} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Why a version is deprecated, and until when records have to be upgraded. */
export function Deprecation({ version }: { readonly version: PluginVersion }) {
  const { message, upgrade_by: upgradeBy } = version;
  if (message === null && upgradeBy === null) return null;
  return (
    <div className="hint">
      {message}
      {upgradeBy !== null && <Time before=" Upgrade due " at={upgradeBy} />}
    </div>
  );
}
