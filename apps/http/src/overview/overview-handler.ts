import { overview, presenter } from '@plugin-config/contract';
import { readOverview, versionIfSendable, type FamilyRef, type Overview } from '@plugin-config/domain';
import { accessOf, sendRead } from '@plugin-config/server';
import type { HandlerOf } from '../endpoints/handler.ts';
import type { Services } from '../services.ts';

export function overviewHandler({ versions, ...ports }: Services): HandlerOf<'retrieveOverview'> {
  return async ({ request, reply }) => {
    const { projectId, at } = accessOf(request);
    const runtimeVersionOf = (family: FamilyRef) =>
      versionIfSendable(() => versions(request).current(family));
    await sendRead(reply, presentOverview(await readOverview({ ...ports, runtimeVersionOf }, projectId, at)));
  };
}

const presentOverview = presenter(overview, {
  deliveries: ({ deliveries }: Overview) =>
    deliveries && { last24h: deliveries.last, previous24h: deliveries.previous },
  incidents: ({ incidents }: Overview) => ({ open: incidents.count, newest: incidents.items }),
  changes: ({ changes }: Overview) =>
    changes.map(({ recordId, at, ...change }) => ({ ...change, record: recordId, createdAt: at })),
});
