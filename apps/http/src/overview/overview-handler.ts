import type { projectEndpoints, WireOverview } from '@plugin-config/contract';
import {
  readOverview,
  type FamilyRef,
  type IncidentStore,
  type LogCounts,
  type Outcomes,
  type Overview,
  type ProjectSummaries,
  type RuntimeVersions,
} from '@plugin-config/domain';
import { accessOf, sendRead } from '@plugin-config/server';
import { presentActor } from '../activity/present-actor.ts';
import { presentIncident } from '../alert/present-alert.ts';
import type { Handler } from '../endpoints/handler.ts';
import { versionIfSendable } from '../runtime/version-if-sendable.ts';

export interface OverviewDependencies {
  readonly summaries: ProjectSummaries;
  readonly logCounts: LogCounts;
  readonly incidents: IncidentStore;
  readonly versions: RuntimeVersions;
}

export function overviewHandler({
  versions,
  ...ports
}: OverviewDependencies): Handler<(typeof projectEndpoints)['retrieveOverview']> {
  return async ({ request, reply }) => {
    const { projectId, at } = accessOf(request);
    const currentVersion = (family: FamilyRef) => versionIfSendable(() => versions.current(family));
    await sendRead(reply, presentOverview(await readOverview({ ...ports, currentVersion }, projectId, at)));
  };
}

function presentOverview({ deliveries, incidents, ...overview }: Overview): WireOverview {
  return {
    families: overview.families.map((family) => ({ ...family })),
    runtimes: { ...overview.runtimes },
    deliveries: deliveries && {
      last_24h: presentOutcomes(deliveries.last),
      previous_24h: presentOutcomes(deliveries.previous),
    },
    errors: overview.errors.map(({ start, count }) => ({ start: start.toISOString(), count })),
    incidents: { open: incidents.count, newest: incidents.items.map(presentIncident) },
    changes: overview.changes.map(({ id, family, recordId, activity, at, actor }) => ({
      id,
      family,
      record: recordId,
      activity,
      created_at: at.toISOString(),
      actor: presentActor(actor),
    })),
  };
}

function presentOutcomes({ successes, failures }: Outcomes) {
  return { successes, failures };
}
