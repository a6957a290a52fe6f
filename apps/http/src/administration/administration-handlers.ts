import type { administrationEndpoints } from '@plugin-config/contract';
import type { Handlers } from '../endpoints/handler.ts';
import { listAuditHandler, type AuditDependencies } from './audit-handler.ts';
import { keyHandlers, type KeyDependencies } from './key-handlers.ts';
import { pluginHandlers, type PluginDependencies } from './plugin-handlers.ts';
import { changeProjectHandlers, type ProjectDependencies } from '../project/project-handlers.ts';

/** The handlers for keys, projects, registered plugins, and the log of what was changed of them. */
export function administrationHandlers(
  dependencies: KeyDependencies & ProjectDependencies & PluginDependencies & AuditDependencies,
): Handlers<typeof administrationEndpoints> {
  return {
    ...keyHandlers(dependencies),
    ...changeProjectHandlers(dependencies),
    ...pluginHandlers(dependencies),
    listAudit: listAuditHandler(dependencies),
  };
}
