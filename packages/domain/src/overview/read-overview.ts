import type { IncidentStore, NamedIncident } from '../alert/incident.ts';
import { deliveryWindow, type DeliveryWindow } from '../delivery/delivery-window.ts';
import type { Actor } from '../kernel/author.ts';
import { bucketRange, LAST_DAY, startsIn } from '../kernel/bucket-range.ts';
import type { Page } from '../kernel/page.ts';
import type { LogCounts } from '../log/log-counts.ts';
import { DAY_MS } from '../log/log-days.ts';
import type { FamilyRef } from '../project/family.ts';
import { onlineSince } from '../runtime/runtime-instance.ts';
import { type Activity, FAMILIES, type Family, type RuntimeStatus } from '../vocabulary/vocabulary.ts';

export interface FamilyState {
  readonly family: Family;
  readonly enabled: number;
  readonly disabled: number;
  /** Records that show an error. */
  readonly failing: number;
  /** Enabled records whose configuration the schema of their plugin rejects. */
  readonly invalid: number;
  /** As in `RecordFilter`. */
  readonly outdated: number;
}

/** Runtimes of a family that last reported the same. */
export interface EqualRuntimes {
  readonly family: Family;
  /** Null for hosts of several projects. */
  readonly version: string | null;
  /** Whether hosts have read the last change. */
  readonly hasReadAll: boolean;
  readonly status: RuntimeStatus;
  readonly isOnline: boolean;
  readonly count: number;
}

export interface Outcomes {
  readonly successes: number;
  readonly failures: number;
}

export interface RecentChange {
  readonly id: number;
  readonly recordId: number;
  /** As in `RecordSubject`. */
  readonly recordName: string;
  readonly family: Family;
  readonly activity: Activity;
  /** The first fields that changed, at most `OVERVIEW_FIELDS_MAX`. */
  readonly fields: readonly string[];
  readonly at: Date;
  readonly actor: Actor;
}

export interface ProjectSummaries {
  /** Omits families without live records. */
  families(projectId: number): Promise<readonly FamilyState[]>;
  /** Returns the runtimes that have reported since a time. Runtimes that have reported since a later time are online. */
  runtimes(projectId: number, since: Date, onlineSince: Date): Promise<readonly EqualRuntimes[]>;
  disabledWebhooks(projectId: number): Promise<number>;
  /** Returns the newest changes to all records, newest first. */
  changes(projectId: number, limit: number): Promise<readonly RecentChange[]>;
  /** Adds up the deliveries of all records. Resolves to null if there are too many to do so in time. */
  deliveries(projectId: number, window: DeliveryWindow): Promise<Outcomes | null>;
}

export interface Overview {
  readonly families: readonly FamilyState[];
  /**
   * The online runtimes, how many of them are not at the current version or report a failure, and the runtimes that went silent
   * within the last hour.
   */
  readonly runtimes: {
    readonly online: number;
    readonly behind: number;
    readonly failed: number;
    readonly silent: number;
  };
  readonly webhooks: { readonly disabled: number };
  /** The last 24 hours, and the 24 before; null if there are too many deliveries to add up in time. */
  readonly deliveries: { readonly last: Outcomes; readonly previous: Outcomes } | null;
  /** The log entries of type ERROR in each of the last 24 hours, oldest first. */
  readonly errors: readonly { readonly start: Date; readonly count: number }[];
  /** The newest open incidents; `count` is that of all. */
  readonly incidents: Page<NamedIncident>;
  readonly changes: readonly RecentChange[];
}

interface Dependencies {
  readonly summaries: ProjectSummaries;
  readonly logCounts: LogCounts;
  readonly incidents: IncidentStore;
  /** Returns the version that runtimes of the family should have; null if the family is too large for one. */
  readonly runtimeVersionOf: (family: FamilyRef) => Promise<string | null>;
}

const CHANGES = 10;
const INCIDENTS = 5;
/** How long a runtime that stopped reporting counts as silent. Most that stop for good are replaced. */
const SILENT_MS = 60 * 60_000;
const OPEN = { alertId: null, recordId: null, plugin: null, open: true };

/** Summarises a project for its overview page. Reads sequentially, so a caller occupies only one connection. */
export async function readOverview(
  { summaries, logCounts, incidents, runtimeVersionOf }: Dependencies,
  projectId: number,
  at: Date,
): Promise<Overview> {
  const families = await summaries.families(projectId);
  const since = onlineSince(at);
  const silentSince = new Date(since.getTime() - SILENT_MS);
  const reported = await summaries.runtimes(projectId, silentSince, since);
  const runtimes = reported.filter(({ isOnline }) => isOnline);
  const versions = new Map<Family, string | null>();
  const versioned = runtimes.filter((one) => one.version !== null);
  for (const family of new Set(versioned.map((one) => one.family)))
    versions.set(family, await runtimeVersionOf({ projectId, family }));
  const window = deliveryWindow(at);
  const last = await summaries.deliveries(projectId, window);
  const previous = last && (await summaries.deliveries(projectId, dayBefore(window)));
  return {
    families: FAMILIES.map(
      (family) =>
        families.find((one) => one.family === family) ?? {
          family,
          enabled: 0,
          disabled: 0,
          failing: 0,
          invalid: 0,
          outdated: 0,
        },
    ),
    runtimes: {
      ...countRuntimes(runtimes, versions),
      silent: sumOf(reported.filter(({ isOnline }) => !isOnline)),
    },
    webhooks: { disabled: await summaries.disabledWebhooks(projectId) },
    deliveries: last && previous && { last, previous },
    errors: await readErrors(logCounts, projectId, at),
    incidents: await incidents.page(projectId, OPEN, { limit: INCIDENTS, offset: 0 }),
    changes: await summaries.changes(projectId, CHANGES),
  };
}

function dayBefore({ first, last }: DeliveryWindow): DeliveryWindow {
  return { first: first - DAY_MS, last: last - DAY_MS };
}

function countRuntimes(
  runtimes: readonly EqualRuntimes[],
  versions: ReadonlyMap<Family, string | null>,
): Omit<Overview['runtimes'], 'silent'> {
  const isBehind = ({ family, version, hasReadAll }: EqualRuntimes): boolean =>
    version === null ? !hasReadAll : (versions.get(family) ?? version) !== version;
  return {
    online: sumOf(runtimes),
    behind: sumOf(runtimes.filter((one) => isBehind(one))),
    failed: sumOf(runtimes.filter(({ status }) => status === 'failed')),
  };
}

function sumOf(runtimes: readonly EqualRuntimes[]): number {
  return runtimes.reduce((sum, { count }) => sum + count, 0);
}

async function readErrors(logCounts: LogCounts, projectId: number, at: Date): Promise<Overview['errors']> {
  const range = bucketRange(LAST_DAY, at, 'ceil');
  const found = await logCounts.ofProject(projectId, range, { types: ['ERROR'], source: null });
  const counts = new Map(found.map(({ start, count }) => [start.getTime(), count]));
  return startsIn(range).map((start) => ({ start: new Date(start), count: counts.get(start) ?? 0 }));
}
