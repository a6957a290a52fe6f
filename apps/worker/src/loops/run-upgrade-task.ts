import { runUpgrade } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { RunTask } from './run-tasks.ts';

type Dependencies = Parameters<typeof runUpgrade>[0] & { readonly logger: Logger };

/** Returns a function that upgrades the next records of a plugin. */
export function runUpgradeTask({ logger, ...dependencies }: Dependencies): RunTask {
  return async (task) => {
    const upgrade = await runUpgrade(dependencies, task);
    if (upgrade === null || upgrade.state === 'running') return;
    const { plugin, version, state, progress } = upgrade;
    logger.info({ plugin, version, state, ...progress }, 'an upgrade of all records ended');
  };
}
