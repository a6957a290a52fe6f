import { compatibilityProblem } from '../postgres/compatibility-problem.ts';
import type { Database } from '../postgres/database.ts';
import { schemaProblem } from './schema-problem.ts';

/** Why this code cannot work with the database, and what to do; null if it can. */
export async function databaseProblem(database: Pick<Database, 'pool'>): Promise<string | null> {
  return (await compatibilityProblem(database)) ?? schemaProblem(database);
}
