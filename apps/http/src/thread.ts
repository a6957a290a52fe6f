import type { ExportInput, PlanInput } from '@plugin-config/domain';
import { serveTasks } from '@plugin-config/flow/node';
import { declarationTasks } from './declaration/declaration-tasks.ts';

const { plan, planJson, exportJson } = declarationTasks;

// The thread for the long pure work of the HTTP app.
serveTasks({
  plan: (input: PlanInput) => ({ value: plan(input) }),
  planJson: (input: Parameters<typeof planJson>[0]) => ({ value: planJson(input) }),
  exportJson: (input: ExportInput) => ({ value: exportJson(input) }),
});
