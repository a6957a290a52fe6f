import { beforeAll, beforeEach } from 'vitest';
import { administrator } from './administrator.ts';
import { MAINS, type App } from './apps.ts';
import { runService, type RunningService } from './running-service.ts';

const APPS = Object.keys(MAINS) as readonly App[];

/** Stops when the process that runs the test files exits: its apps notice that their parent is gone. */
let shared: RunningService | undefined;

/**
 * Returns the service that all test files of a process share, which saves each of them two seconds. Each test uses
 * its own tenants and starts without registered plugins. Tests that depend on other shared state or on settings use
 * `serviceOfFile`.
 */
export function sharedService(): () => RunningService {
  beforeAll(async () => {
    shared ??= await runService();
    for (const app of APPS) if (hasEnded(shared, app)) await shared.restart(app);
  });
  beforeEach(async () => {
    if (shared !== undefined) await removePlugins(shared);
  });
  return () => {
    if (shared === undefined) throw new Error('The service runs only during the tests.');
    return shared;
  };
}

/** A failed test may have left an app stopped. */
const hasEnded = (service: RunningService, app: App): boolean =>
  service[app].child.exitCode !== null || service[app].child.signalCode !== null;

async function removePlugins(service: RunningService): Promise<void> {
  const registered = await service.rows<{ readonly id: number }>(
    'select id from plugin where name is not null',
  );
  if (registered.length === 0) return;
  const { plugins } = await administrator(service);
  for (const { id } of registered) await plugins.remove(id);
}
