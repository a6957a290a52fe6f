import type { FailedProjectRecord } from '../wire.ts';
import type { Reports } from './reports.ts';

/** The reports of a runtime of all projects, which keep the failures of a project until it changes. */
export interface ProjectReports extends Reports<FailedProjectRecord> {
  /** Drops the failures of a project whose records are about to be applied again. */
  forget(projectId: number): void;
}

export function projectReports(reports: Reports<FailedProjectRecord>): ProjectReports {
  const failures = new Map<number, readonly FailedProjectRecord[]>();
  const failed: Reports<FailedProjectRecord>['failed'] = (version, error, records = []) => {
    for (const { project_id } of records) failures.delete(project_id);
    for (const record of records)
      failures.set(record.project_id, [...(failures.get(record.project_id) ?? []), record]);
    reports.failed(version, error, [...failures.values()].flat());
  };
  return {
    get version() {
      return reports.version;
    },
    get sent() {
      return reports.sent;
    },
    applied(version) {
      failures.clear();
      reports.applied(version);
    },
    failed,
    repeat: reports.repeat,
    forget: (projectId) => failures.delete(projectId),
    delivered(version) {
      if (failures.size === 0) reports.applied(version);
      else
        failed(
          version,
          `Records of ${failures.size === 1 ? 'a project' : `${failures.size} projects`} could not be applied.`,
        );
    },
  };
}
