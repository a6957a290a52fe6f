import { skewProblem } from '@plugin-config/domain';
import {
  isWritable,
  readClocks,
  compatibilityProblem,
  schemaProblem,
  type Database,
} from '@plugin-config/persistence';
import type { Readiness } from './health.routes.ts';

/**
 * Checks that the database answers, its clock agrees with ours, it is writable, and its schema and our rights on it are
 * what this code needs: another version may migrate it at any time.
 */
export function databaseReadiness(database: Database): Readiness {
  let isCompatible = false;
  return async () => {
    const problem = skewProblem(await readClocks(database));
    if (problem !== null) return problem;
    if (!isCompatible) {
      const reason = await compatibilityProblem(database);
      if (reason !== null) return reason;
      isCompatible = true;
    }
    if (!(await isWritable(database))) {
      return 'The database cannot be written to: it is a standby, or default_transaction_read_only is on.';
    }
    return schemaProblem(database);
  };
}
