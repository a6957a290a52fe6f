import { auditEntry, presenter } from '@plugin-config/contract';
import type { AuditEntry, AuditLog } from '@plugin-config/domain';
import type { HandlerOf } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { sendPage } from '../responses/page-links.ts';

interface AuditDependencies {
  readonly audit: AuditLog;
  readonly baseUrl: BaseUrl;
}

export function auditHandler({ audit, baseUrl }: AuditDependencies): HandlerOf<'listAudit'> {
  return async ({ reply, query: page }) => {
    const found = await audit.page(page);
    await sendPage({ reply, baseUrl, page }, found, presentEntry);
  };
}

const presentEntry = presenter(auditEntry, { created_at: ({ at }: AuditEntry) => at });
