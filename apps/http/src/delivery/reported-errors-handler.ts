import type { recordEndpoints, WireReportedErrorPage } from '@plugin-config/contract';
import type { ReportedErrors } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import { listAddress, pageBody } from '../responses/page-links.ts';
import type { Handler } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface ErrorDependencies {
  readonly errors: ReportedErrors;
  readonly baseUrl: BaseUrl;
}

/** Returns one page of the errors of a family. */
export function reportedErrorsHandler({
  errors,
  baseUrl,
}: ErrorDependencies): Handler<(typeof recordEndpoints)['listErrors']> {
  return async ({ request, reply, family, query: { recordId, ...page } }) => {
    const found = await errors.page(family, recordId, page);
    const body: WireReportedErrorPage = pageBody(listAddress(baseUrl, request), page, found, (reported) => ({
      record: reported.recordId,
      error: reported.error,
      reported_at: reported.at.toISOString(),
    }));
    await sendRead(reply, body);
  };
}
