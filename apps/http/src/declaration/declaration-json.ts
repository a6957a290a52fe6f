import { exportDeclaration, planDeclaration, type ExportInput, type PlanInput } from '@plugin-config/domain';

/** Returns the response to a plan. */
export function plannedJson(input: PlanInput): string {
  return JSON.stringify(planDeclaration(input).report);
}

/** Returns the response to an export. */
export function exportedJson(input: ExportInput): string {
  return JSON.stringify({ format: 1, ...exportDeclaration(input) });
}
