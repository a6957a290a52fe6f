import { auditEntry, presenter, type administrationEndpoints } from '@plugin-config/contract';
import type { AuditEntry, AuditLog } from '@plugin-config/domain';
import { sendPage } from '../responses/page-links.ts';
import type { Handler, Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { keyHandlers, type KeyDependencies } from './key-handlers.ts';
import { pluginHandlers, type PluginDependencies } from './plugin-handlers.ts';
import { erasureHandlers, type ErasureDependencies } from '../project/erasure-handlers.ts';
import { changeProjectHandlers, type ProjectDependencies } from '../project/project-handlers.ts';

/** The handlers for keys, projects, registered plugins and the audit log. */
export function administrationHandlers(
  dependencies: KeyDependencies &
    ProjectDependencies &
    ErasureDependencies &
    PluginDependencies &
    AuditDependencies,
): Handlers<typeof administrationEndpoints> {
  return {
    ...keyHandlers(dependencies),
    ...changeProjectHandlers(dependencies),
    ...erasureHandlers(dependencies),
    ...pluginHandlers(dependencies),
    listAudit: listAuditHandler(dependencies),
  };
}

interface AuditDependencies {
  readonly audit: AuditLog;
  readonly baseUrl: BaseUrl;
}

function listAuditHandler({
  audit,
  baseUrl,
}: AuditDependencies): Handler<(typeof administrationEndpoints)['listAudit']> {
  return async ({ reply, query: page }) => {
    const found = await audit.page(page);
    await sendPage({ reply, baseUrl, page }, found, presentEntry);
  };
}

const presentEntry = presenter(auditEntry, { created_at: ({ at }: AuditEntry) => at });
