import type { administrationEndpoints, WireAuditEntry, WireAuditPage } from '@plugin-config/contract';
import type { AuditEntry, AuditLog } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import { listAddress, pageBody } from '../answers/page-links.ts';
import { presentActor } from '../activity/present-actor.ts';
import type { Handler } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface AuditDependencies {
  readonly audit: AuditLog;
  readonly baseUrl: BaseUrl;
}

export function listAuditHandler({
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
    subject: { ...subject },
    request_id: requestId,
  };
}
