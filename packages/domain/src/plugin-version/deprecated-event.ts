import { SERVICE } from '../project/project.ts';
import type { QueuedEvent } from '../webhook/queued-event.ts';
import type { PluginVersion } from './plugin-version.ts';

/** The event of a version that has become deprecated, for a project with records of it or for all projects. */
export function deprecatedEvent(
  projectId: number,
  plugin: number,
  { version, message, upgradeBy }: Pick<PluginVersion, 'version' | 'message' | 'upgradeBy'>,
  at: Date,
): QueuedEvent {
  return {
    projectId,
    key: `plugin ${plugin} ${version} deprecated ${at.toISOString()}`,
    type: 'plugin.deprecated',
    at,
    data: {
      project_id: projectId === SERVICE ? null : projectId,
      version,
      message,
      upgrade_by: upgradeBy?.toISOString() ?? null,
    },
    recordId: null,
    plugin,
  };
}
