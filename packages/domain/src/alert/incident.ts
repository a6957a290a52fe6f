import type { Page, PageRequest } from '../kernel/page.ts';
import type { PluginSubject, ProjectSubject, RecordSubject } from '../project/subject.ts';
import type { Family, IncidentReason, Signal } from '../vocabulary/vocabulary.ts';

/** How long incidents are kept after they are closed. */
export const INCIDENTS_KEPT_DAYS = 90;

/** The number of closed incidents that are kept per project, newest first. */
export const INCIDENTS_KEPT_MAX = 100_000;

/**
 * The number of open incidents of an alert about a record each, in a project and in all projects. One more says how many other
 * records breach its rule.
 */
export const OPEN_INCIDENTS_MAX = { project: 1_000, service: 10_000 } as const;

/** A period in which a record, or a family, breached the rule of an alert. */
export interface Incident {
  readonly id: number;
  readonly alertId: number;
  /** Null for an alert on all projects. */
  readonly alertProjectId: number | null;
  /** The name of the alert when the incident was opened. */
  readonly alertName: string;
  readonly family: Family;
  /** Null for a signal about the family, and for an incident about the records beyond `OPEN_INCIDENTS_MAX`. */
  readonly recordId: number | null;
  readonly signal: Signal;
  /** The rate or the number that breached the rule; null for signals without one. Without a record, the number of records. */
  readonly value: number | null;
  readonly openedAt: Date;
  /** Null while it is open. */
  readonly closedAt: Date | null;
  readonly reason: IncidentReason | null;
}

export interface NamedIncident extends Incident {
  /** Null for an incident about records of several projects. */
  readonly project: ProjectSubject | null;
  readonly record: RecordSubject | null;
  /** The plugin of the record when the incident was opened. */
  readonly plugin: PluginSubject | null;
}

/** Null matches every incident. */
export interface IncidentFilter {
  readonly alertId: number | null;
  readonly recordId: number | null;
  readonly plugin: number | null;
  readonly open: boolean | null;
}

export interface IncidentStore {
  /**
   * Returns one page of the incidents of a project or, for null, of all projects: open incidents first, then the newest. Of all
   * projects, counts only the first `COUNTED_MAX`.
   */
  page(projectId: number | null, filter: IncidentFilter, page: PageRequest): Promise<Page<NamedIncident>>;
}
