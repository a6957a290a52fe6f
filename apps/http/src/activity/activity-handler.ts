import { activityEntry, familyActivityEntry, presenter } from '@plugin-config/contract';
import type { ActivityEntry } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import { listAddress, pageBody, sendPage } from '../responses/page-links.ts';
import { presentRecord } from '../record/present-record.ts';
import type { HandlerOf } from '../endpoints/handler.ts';
import type { Services } from '../services.ts';

/** Returns the record with one page of its history. */
export function activityHandler({ activity: log, baseUrl }: Services): HandlerOf<'retrieveActivity'> {
  return async ({ request, reply, record, query: page }) => {
    const found = await log.page(record, page);
    const view = {
      ...presentRecord(record),
      ...pageBody(listAddress(baseUrl, request), page, found, presentEntry),
    };
    await sendRead(reply, view);
  };
}

/** Returns one page of the history of a family. */
export function familyActivityHandler({ activity: log, baseUrl }: Services): HandlerOf<'listActivity'> {
  return async ({ reply, family, query: { limit, offset, ...filter } }) => {
    const page = { limit, offset };
    const found = await log.familyPage(family, filter, page);
    await sendPage({ reply, baseUrl, page }, found, presentFamilyEntry);
  };
}

const atOf = ({ at }: ActivityEntry): Date => at;

const presentEntry = presenter(activityEntry, { created_at: atOf });

const presentFamilyEntry = presenter(familyActivityEntry, {
  record: ({ recordId }: { readonly recordId: number }) => recordId,
  created_at: atOf,
});
