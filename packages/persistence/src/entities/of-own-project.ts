import { FAMILIES_WITH_LOG } from './families-in-sql.ts';

/**
 * Keeps the requested logs whose record is in the requested project. The `offset` makes PostgreSQL look up each record by id,
 * since it would read large parts of other indexes.
 */
export const OF_OWN_PROJECT = (requested: string): string => `join lateral (
    select r.project_id, r.family from config_record r where r.id = ${requested}.record_id offset 0
  ) own on own.project_id = ${requested}.project_id and own.family in (${FAMILIES_WITH_LOG})`;
