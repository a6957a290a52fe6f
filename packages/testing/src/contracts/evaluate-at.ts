import {
  evaluateAlerts,
  type Alert,
  type Incident,
  type IncidentFilter,
  type NamedIncident,
} from '@plugin-config/domain';
import type { Ports } from '../ports.ts';

type Evaluating = Pick<Ports, 'evaluations' | 'tasks'>;

/** The outcome of evaluating all alerts. */
export interface Evaluated {
  readonly count: number;
  readonly failed: readonly { readonly alert: Alert; readonly error: unknown }[];
}

/** Evaluates all alerts at a time, as a worker does, but makes their tasks due again at once. */
export async function evaluateAt(
  { evaluations, tasks }: Evaluating,
  at: Date,
  elapsed = () => performance.now(),
): Promise<Evaluated> {
  const failed: { readonly alert: Alert; readonly error: unknown }[] = [];
  let count = 0;
  const meter = {
    evaluated: () => void count++,
    failed: (alert: Alert, error: unknown) => void failed.push({ alert, error }),
  };
  const dependencies = { evaluations, clock: { now: () => at }, meter, elapsed };
  const done = new Set<number>();
  for (;;) {
    const claimed = await tasks.claim('alerts', { limit: 100, exceptTenants: [], exceptKeys: [...done] });
    if (claimed.length === 0) return { count, failed };
    for (const task of claimed) {
      const { payload = '' } = await evaluateAlerts(dependencies, task, { aborted: false });
      if (payload === '') done.add(task.key);
      await tasks.settle(task, { dueInMs: 0, payload });
    }
  }
}

const ALL: IncidentFilter = { alertId: null, recordId: null, plugin: null, open: null };

/** Returns the incidents of a project: open incidents first, then the newest. */
export async function incidentsOf(
  { incidents }: Pick<Ports, 'incidents'>,
  projectId: number,
  filter: Partial<IncidentFilter> = {},
): Promise<readonly Incident[]> {
  const { items } = await incidents.page(projectId, { ...ALL, ...filter }, { limit: 1000, offset: 0 });
  return items.map(unnamed);
}

/** Returns an incident without the names of its subjects. */
export function unnamed({
  project: _project,
  record: _record,
  plugin: _plugin,
  ...incident
}: NamedIncident): Incident {
  return incident;
}
