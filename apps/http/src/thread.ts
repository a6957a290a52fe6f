import { planDeclaration, type ExportInput, type PlanInput } from '@plugin-config/domain';
import { serveTasks, type Message } from '@plugin-config/flow/node';
import { exportedJson, plannedJson } from './declaration/declaration-json.ts';

// The thread for the long pure work of the HTTP app.
serveTasks({
  plan: (input: PlanInput) => ({ value: planDeclaration(input) }),
  planJson: (input: PlanInput) => encoded(plannedJson(input)),
  exportJson: (input: ExportInput) => encoded(exportedJson(input)),
});

function encoded(json: string): Message {
  const bytes = new TextEncoder().encode(json);
  return { value: bytes, moved: [bytes.buffer] };
}
