import { FAMILIES_WITH_LOG } from './families-in-sql.ts';

/**
 * Keeps the asked logs whose record is in the project that they are asked for. The `offset` has each record looked up
 * by its id alone: other indexes would be read in large parts.
 */
export const OF_OWN_PROJECT = (asked: string): string => `join lateral (
    select r.project_id, r.family from config_record r where r.id = ${asked}.record_id offset 0
  ) own on own.project_id = ${asked}.project_id and own.family in (${FAMILIES_WITH_LOG})`;
