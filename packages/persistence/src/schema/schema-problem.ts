import { compatibilityProblem } from '../postgres/compatibility-problem.ts';
import type { Database } from '../postgres/database.ts';
import { missingRight } from './missing-right.ts';
import { schemaState } from './schema-state.ts';

/** Returns why this code cannot work with the schema of the database and what to do about it; null if it can. */
export async function schemaProblem(database: Pick<Database, 'pool'>): Promise<string | null> {
  const right = await missingRight(database);
  if (right !== null) return right;
  const { missing, problem } = await schemaState(database);
  if (problem !== null || missing.length === 0) return problem;
  return 'The schema of the database is older than this code: update it with npm run --silent cli -- migrate';
}

/** Returns why this code cannot work with the database and what to do about it; null if it can. */
export async function databaseProblem(database: Pick<Database, 'pool'>): Promise<string | null> {
  return (await compatibilityProblem(database)) ?? schemaProblem(database);
}
