import { declaredFamilies, type Declaration } from './declaration.ts';
import type { SecretValues } from './declared-configuration.ts';
import { exportDeclaration, type ExportedDeclaration } from './export-declaration.ts';
import { inSlices, type TimeSlices } from '@plugin-config/flow';
import type { ManagedRecords, ManagedScope } from './managed-records.ts';
import type { PlanReport } from './plan.ts';
import { planDeclaration } from './plan-declaration.ts';

export interface PlanDependencies {
  readonly managed: ManagedRecords;
  readonly requireRegistered: boolean;
  /** A plan of thousands of records is made in slices. */
  readonly slices: () => TimeSlices;
}

interface Question {
  readonly projectId: number;
  readonly declaration: Declaration;
  readonly secrets: SecretValues;
}

/** Tells what applying the declaration would change now. */
export async function makePlan(
  { managed, requireRegistered, slices }: PlanDependencies,
  question: Question,
): Promise<PlanReport> {
  const state = await managed.read(scopeOf(question));
  const planning = planDeclaration({ ...question, state, requireRegistered });
  return (await inSlices(planning, slices())).report;
}

/** What a manager owns now, as a declaration. */
export async function exportManaged(
  { managed, slices }: Pick<PlanDependencies, 'managed' | 'slices'>,
  { projectId, manager }: Pick<ManagedScope, 'projectId' | 'manager'>,
): Promise<ExportedDeclaration> {
  const state = await managed.read({ projectId, manager, plugins: [] });
  return inSlices(exportDeclaration(manager, state), slices());
}

/** What is to be read for the plan of a declaration. */
export function scopeOf({
  projectId,
  declaration,
}: Pick<Question, 'projectId' | 'declaration'>): ManagedScope {
  const records = declaredFamilies(declaration).flatMap((family) => declaration[family] ?? []);
  const plugins = [...new Set(records.map(({ plugin }) => plugin))];
  return { projectId, manager: declaration.manager, plugins };
}
