/**
 * The revision that the family of a record `r` gets by this statement. The family's row must be locked by an earlier
 * statement of the transaction, and raised by this one.
 */
export const NEXT_REVISION =
  '(select f.revision + 1 from config_family f where f.project_id = r.project_id and f.family = r.family)';

/** Marks that answers about families `f` may have changed: continues with their condition. */
export const RAISE_REVISION = 'update config_family f set revision = f.revision + 1';

/** Marks that records of families have changed. */
export const RAISE_VERSION = `${RAISE_REVISION}, version = f.version + 1`;

/** Marks that records of families have moved. */
export const RAISE_ORDER = `${RAISE_VERSION}, order_revision = f.revision + 1`;
