/** The notification channel of PostgreSQL for stored log entries. Processes of two versions share it. */
export const CHANNEL = 'plugin_config_log';

/** A notification holds at most 8,000 bytes. */
const IDS_MAX = 350;
const MANY_IDS = 'many';

/**
 * SQL that notifies all listeners of ids of records, a `bigint[]`, when its transaction commits. PostgreSQL commits
 * transactions that notify one after the other.
 */
export function notifyListeners(ids: string): string {
  const payload = `case when cardinality(${ids}) > ${IDS_MAX} then '${MANY_IDS}' else array_to_string(${ids}, ',') end`;
  return `pg_notify('${CHANNEL}', ${payload})`;
}

/** The ids in the payload of a notification. */
export function idsIn(payload: string): readonly number[] | 'all' {
  return payload === MANY_IDS ? 'all' : payload.split(',').map(Number);
}
