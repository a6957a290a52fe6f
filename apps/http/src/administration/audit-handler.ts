import type { administrationEndpoints, WireAuditEntry, WireAuditPage } from '@plugin-config/contract';
import type { AuditEntry, AuditLog } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import { listAddress, pageLinks } from '../answers/page-links.ts';
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
    const body: WireAuditPage = {
      count: found.count,
      ...pageLinks(listAddress(baseUrl, request), page, found),
      results: found.items.map(presentEntry),
    };
    await sendRead(reply, body);
  };
}

function presentEntry({ id, action, at, actor, subject, requestId }: AuditEntry): WireAuditEntry {
  return {
    id,
    action,
    created_at: at.toISOString(),
    actor: { key_id: actor.keyId, label: actor.label },
    subject: { ...subject },
    request_id: requestId,
  };
}
