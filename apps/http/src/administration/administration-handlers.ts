import type { administrationEndpoints, WireAuditEntry, WireAuditPage } from '@plugin-config/contract';
import type { AuditEntry, AuditLog } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import { presentActor } from '../activity/present-actor.ts';
import { listAddress, pageBody } from '../responses/page-links.ts';
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
  return async ({ request, reply, query: page }) => {
    const found = await audit.page(page);
    const body: WireAuditPage = pageBody(listAddress(baseUrl, request), page, found, presentEntry);
    await sendRead(reply, body);
  };
}

function presentEntry({ id, action, at, actor, subject, requestId }: AuditEntry): WireAuditEntry {
  return {
    id,
    action,
    created_at: at.toISOString(),
    actor: presentActor(actor),
    subject: { type: subject.type, id: subject.id, name: subject.name },
    request_id: requestId,
  };
}
