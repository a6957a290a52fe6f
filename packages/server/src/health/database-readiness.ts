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
 * Checks that the database is reachable and writable, that its clock agrees with ours, and that its schema and our privileges are
 * what this code needs. The schema is checked each time, because another version may migrate it.
 */
export function databaseReadiness(database: Database): Readiness {
  let isCompatible = false;
  return async () => {
    const skew = skewProblem(await readClocks(database));
    if (skew !== null) return skew;
    if (!isCompatible) {
      const incompatibility = await compatibilityProblem(database);
      if (incompatibility !== null) return incompatibility;
      isCompatible = true;
    }
    if (!(await isWritable(database))) {
      return 'The database cannot be written to: it is a standby, or default_transaction_read_only is on.';
    }
    return schemaProblem(database);
  };
}
