import { exportDeclaration, planDeclaration, type ExportInput, type PlanInput } from '@plugin-config/domain';
import type { Timeline } from '@plugin-config/persistence';
import { jsonSchemas } from '@plugin-config/persistence/json-schemas';
import { onProject } from '../responses/timeline.ts';

interface PlanOf {
  readonly timeline: Pick<Timeline, 'id'>;
  readonly projectId: number;
}

const dependencies = { jsonSchemas };

/** The pure work on documents. */
export const declarationTasks = {
  plan: (input: PlanInput) => planDeclaration(dependencies, input),
  /** Returns the response to a plan. */
  planJson: ({ timeline, projectId, ...input }: PlanInput & PlanOf) => {
    const { report } = planDeclaration(dependencies, input);
    return JSON.stringify({ ...report, base: onProject(timeline, projectId, report.base) });
  },
  /** Returns the response to an export. */
  exportJson: (input: ExportInput) =>
    JSON.stringify({ format: 1, ...exportDeclaration(dependencies, input) }),
};
