import type {
  recordEndpoints,
  subresourceEndpoints,
  WireActivityEntry,
  WireActivityView,
  WireFamilyActivityPage,
} from '@plugin-config/contract';
import type { ActivityEntry, ActivityLog } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import { listAddress, pageBody } from '../responses/page-links.ts';
import { presentRecord } from '../record/present-record.ts';
import { presentActor } from './present-actor.ts';
import type { Handler } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface ActivityDependencies {
  readonly activity: ActivityLog;
  readonly baseUrl: BaseUrl;
}

/** Returns the record with one page of its history. */
export function activityHandler({
  activity: log,
  baseUrl,
}: ActivityDependencies): Handler<(typeof subresourceEndpoints)['retrieveActivity']> {
  return async ({ request, reply, record, query: page }) => {
    const found = await log.page(record, page);
    const view: WireActivityView = {
      ...presentRecord(record),
      ...pageBody(listAddress(baseUrl, request), page, found, presentEntry),
    };
    await sendRead(reply, view);
  };
}

/** Returns one page of the history of a family. */
export function familyActivityHandler({
  activity: log,
  baseUrl,
}: ActivityDependencies): Handler<(typeof recordEndpoints)['listActivity']> {
  return async ({ request, reply, family, query: { limit, offset, ...filter } }) => {
    const page = { limit, offset };
    const found = await log.familyPage(family, filter, page);
    const body: WireFamilyActivityPage = pageBody(listAddress(baseUrl, request), page, found, (entry) => ({
      record: entry.recordId,
      ...presentEntry(entry),
    }));
    await sendRead(reply, body);
  };
}

function presentEntry({
  id,
  activity,
  at,
  actor,
  changes,
  more,
  requestId,
  applyId,
}: ActivityEntry): WireActivityEntry {
  return {
    id,
    activity,
    created_at: at.toISOString(),
    actor: presentActor(actor),
    changes: [...changes],
    ...(more !== undefined && { more }),
    request_id: requestId,
    ...(applyId !== undefined && { apply_id: applyId }),
  };
}
