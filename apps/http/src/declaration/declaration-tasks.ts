import { exportDeclaration, planDeclaration, type ExportInput, type PlanInput } from '@plugin-config/domain';

/** The pure work on documents. */
export const declarationTasks = {
  plan: planDeclaration,
  /** Returns the response to a plan. */
  planJson: (input: PlanInput) => JSON.stringify(planDeclaration(input).report),
  /** Returns the response to an export. */
  exportJson: (input: ExportInput) => JSON.stringify({ format: 1, ...exportDeclaration(input) }),
};
