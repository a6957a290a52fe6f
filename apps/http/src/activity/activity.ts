import type { recordWorkEndpoints, WireActivityEntry, WireActivityView } from '@plugin-config/contract';
import type { ActivityEntry, ActivityLog } from '@plugin-config/domain';
import { sendJson } from '@plugin-config/server';
import { pageLinks } from '../answers/page-links.ts';
import { presentRecord } from '../record/present-record.ts';
import type { Handler } from '../endpoints/handler.ts';
import { listAddress } from '../requests/list-address.ts';
import type { Origin } from '../requests/origin.ts';

export interface ActivityReading {
  readonly activity: ActivityLog;
  readonly origin: Origin;
}

/** The record and, beside its fields, one page of its history. */
export function activityHandler({
  activity: log,
  origin,
}: ActivityReading): Handler<(typeof recordWorkEndpoints)['retrieveActivity']> {
  return async ({ request, reply, record, query: page }) => {
    const found = await log.page(record, page);
    const view: WireActivityView = {
      ...presentRecord(record),
      count: found.count,
      ...pageLinks(listAddress(origin, request), page, found),
      results: found.items.map(presentEntry),
    };
    sendJson(reply, view);
  };
}

function presentEntry({
  id,
  activity: what,
  at,
  actor,
  changes,
  more,
  requestId,
}: ActivityEntry): WireActivityEntry {
  return {
    id,
    activity: what,
    created_at: at.toISOString(),
    actor: { key_id: actor.keyId, label: actor.label },
    changes: [...changes],
    ...(more !== undefined && { more }),
    request_id: requestId,
  };
}
