import { auditEntry, presenter } from '@plugin-config/contract';
import type { AuditEntry } from '@plugin-config/domain';
import type { HandlerOf } from '../endpoints/handler.ts';
import { sendPage } from '../responses/page-links.ts';
import type { Services } from '../services.ts';

export function auditHandler({ audit, baseUrl }: Services): HandlerOf<'listAudit'> {
  return async ({ reply, query: page }) => {
    const found = await audit.page(page);
    await sendPage({ reply, baseUrl, page }, found, presentEntry);
  };
}

const presentEntry = presenter(auditEntry, { created_at: ({ at }: AuditEntry) => at });
