import { overview, presenter } from '@plugin-config/contract';
import {
  readOverview,
  type FamilyRef,
  type IncidentStore,
  type LogCounts,
  type Overview,
  type ProjectSummaries,
  type RuntimeVersions,
} from '@plugin-config/domain';
import { accessOf, sendRead } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { HandlerOf } from '../endpoints/handler.ts';
import { versionIfSendable } from '../runtime/version-if-sendable.ts';

export interface OverviewDependencies {
  readonly summaries: ProjectSummaries;
  readonly logCounts: LogCounts;
  readonly incidents: IncidentStore;
  readonly versions: (request: FastifyRequest) => RuntimeVersions;
}

export function overviewHandler({ versions, ...ports }: OverviewDependencies): HandlerOf<'retrieveOverview'> {
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
