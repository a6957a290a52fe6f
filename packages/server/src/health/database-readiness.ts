import { skewProblem } from '@plugin-config/domain';
import { isWritable, readClocks, type Database } from '@plugin-config/persistence';
import type { Readiness } from './health.routes.ts';
import { unfitness } from './unfitness.ts';

/** Whether the database answers, at about our own time, can be written to, and is one that this code can work with. */
export function databaseReadiness(database: Database): Readiness {
  let isFit = false;
  return async () => {
    const problem = skewProblem(await readClocks(database));
    if (problem !== null) return problem;
    if (!isFit) {
      const reason = await unfitness(database);
      if (reason !== null) return reason;
      isFit = true;
    }
    return (await isWritable(database))
      ? null
      : 'The database cannot be written to: it is a standby, or default_transaction_read_only is on.';
  };
}
