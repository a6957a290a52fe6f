import { activityQuery, type WireActivityEntry, type WireActivityView } from '@plugin-config/contract';
import type { ActivityEntry, ActivityLog } from '@plugin-config/domain';
import { sendJson } from '@plugin-config/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressedRecord } from '../access/addressed.ts';
import { pageLinks } from '../answers/page-links.ts';
import { presentRecord } from '../config-record/present-record.ts';
import { checked } from '../requests/checked.ts';
import { listAddress } from '../requests/list-address.ts';
import type { Origin } from '../requests/origin.ts';

export interface ActivityReading {
  readonly activity: ActivityLog;
  readonly origin: Origin;
}

/** The record and, beside its fields, one page of its history. */
export function activity({ activity: log, origin }: ActivityReading) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const page = checked(activityQuery, request.query);
    const record = addressedRecord(request);
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
