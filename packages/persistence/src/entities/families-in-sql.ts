import { FAMILIES, FAMILY } from '@plugin-config/domain';

/** Returns names as an SQL list. They must not contain quotes. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

/** All families as an SQL list. */
export const EVERY_FAMILY = listed(FAMILIES);

/** The families whose records have a log, as an SQL list. */
const FAMILIES_WITH_LOG = listed(FAMILIES.filter((family) => FAMILY[family].hasLog));

/**
 * Keeps the requested logs whose record is in the requested project. The `offset` makes PostgreSQL look up each record by id,
 * since it would read large parts of other indexes.
 */
export const OF_OWN_PROJECT = (requested: string): string => `join lateral (
    select r.project_id, r.family from config_record r where r.id = ${requested}.record_id offset 0
  ) own on own.project_id = ${requested}.project_id and own.family in (${FAMILIES_WITH_LOG})`;

/** SQL for the condition that the record has a log and belongs to the project. It is evaluated once per statement. */
export const OWN_LOG = (record: string, project: string): string =>
  `exists (select from config_record r where r.id = ${record} and r.project_id = ${project} and r.family in (${FAMILIES_WITH_LOG}))`;
