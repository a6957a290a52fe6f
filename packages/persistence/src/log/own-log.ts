import { FAMILIES_WITH_LOG } from '../entities/families-in-sql.ts';

/** SQL for the condition that the record has a log and belongs to the project. It is evaluated once per statement. */
export const OWN_LOG = (record: string, project: string): string =>
  `exists (select from config_record r where r.id = ${record} and r.project_id = ${project} and r.family in (${FAMILIES_WITH_LOG}))`;
