import { expect } from 'vitest';
import type { RunningService } from './running-service.ts';

/** Makes the alerts of a project due, instead of waiting for a minute. */
export async function makeAlertsDue(
  { rows }: Pick<RunningService, 'rows'>,
  projectId: number,
): Promise<void> {
  const due = () =>
    rows(
      `update task set due_at = null where kind = 'alerts' and project_id = $1 and due_at is not null returning id`,
      [projectId],
    );
  await expect.poll(due, { timeout: 60_000 }).not.toEqual([]);
}
