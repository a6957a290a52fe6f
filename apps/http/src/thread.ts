import { exportDeclaration, planDeclaration, type ExportInput, type PlanInput } from '@plugin-config/domain';
import { serveTasks } from '@plugin-config/flow/node';

// The thread for the long pure work of the HTTP app.
serveTasks({
  plan: (input: PlanInput) => ({ value: planDeclaration(input) }),
  export: (input: ExportInput) => ({ value: exportDeclaration(input) }),
});
