import { reportedErrorBytes, type ReportedErrors } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryLogs } from './memory-log-state.ts';
import { pageOf } from './page-of.ts';
import { liveOf } from './stored-records.ts';

export function memoryReportedErrors(db: MemoryDatabase, { errors }: MemoryLogs): ReportedErrors {
  return {
    page: async (family, recordId, page) => {
      const shown = liveOf(db.state, family).flatMap(({ id, error }) => {
        const report = errors.get(id);
        const isAsked = recordId === null || recordId === id;
        if (error === null || report === undefined || !isAsked) return [];
        return { recordId: id, error, at: new Date(report.timestamp) };
      });
      const latestFirst = shown.toSorted(
        (a, b) => b.at.getTime() - a.at.getTime() || b.recordId - a.recordId,
      );
      return pageOf(latestFirst, page, reportedErrorBytes);
    },
  };
}
