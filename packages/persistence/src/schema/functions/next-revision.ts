/**
 * The revision that the family of a record `r` gets by this statement. The family's row must be locked by an earlier
 * statement of the transaction, and raised by this one.
 */
export const NEXT_REVISION =
  '(select f.revision + 1 from config_family f where f.project_id = r.project_id and f.family = r.family)';
