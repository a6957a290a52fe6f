import { exportDeclaration, planDeclaration, type ExportInput, type PlanInput } from '@plugin-config/domain';
import type { Timeline } from '@plugin-config/persistence';
import { onTimeline } from '../responses/timeline.ts';

/** The pure work on documents. */
export const declarationTasks = {
  plan: planDeclaration,
  /** Returns the response to a plan. */
  planJson: ({ timeline, ...input }: PlanInput & { readonly timeline: Pick<Timeline, 'id'> }) => {
    const { report } = planDeclaration(input);
    return JSON.stringify({ ...report, base: onTimeline(timeline, report.base) });
  },
  /** Returns the response to an export. */
  exportJson: (input: ExportInput) => JSON.stringify({ format: 1, ...exportDeclaration(input) }),
};
