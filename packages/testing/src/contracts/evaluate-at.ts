import { evaluateAlerts, type Alert, type Incident, type IncidentFilter } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';

type Evaluating = Pick<Ports, 'evaluations'>;

/** The outcome of evaluating all due alerts. */
export interface Evaluated {
  readonly count: number;
  readonly failed: readonly { readonly alert: Alert; readonly error: unknown }[];
}

/** Evaluates the alerts that are due at a time. */
export async function evaluateAt({ evaluations }: Evaluating, at: Date): Promise<Evaluated> {
  const failed: { readonly alert: Alert; readonly error: unknown }[] = [];
  let count = 0;
  const meter = {
    evaluated: () => void count++,
    failed: (alert: Alert, error: unknown) => void failed.push({ alert, error }),
  };
  const dependencies = { evaluations, clock: { now: () => at }, meter, elapsed: () => performance.now() };
  await evaluateAlerts(dependencies, { aborted: false });
  return { count, failed };
}

const ALL: IncidentFilter = { alertId: null, recordId: null, open: null };

/** Returns the incidents of a project: open ones first, then the newest. */
export async function incidentsOf(
  { incidents }: Pick<Ports, 'incidents'>,
  projectId: number,
  filter: Partial<IncidentFilter> = {},
): Promise<readonly Incident[]> {
  return (await incidents.page(projectId, { ...ALL, ...filter }, { limit: 1000, offset: 0 })).items;
}
