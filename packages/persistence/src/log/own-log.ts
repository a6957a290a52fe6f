import { FAMILIES_WITH_LOG } from '../entities/families-in-sql.ts';

/** The SQL condition that the record has a log and is in this project. It is checked once for a statement. */
export const OWN_LOG = (record: string, project: string): string =>
  `exists (select from config_record r where r.id = ${record} and r.project_id = ${project} and r.family in (${FAMILIES_WITH_LOG}))`;
