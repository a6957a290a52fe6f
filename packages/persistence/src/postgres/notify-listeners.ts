/** The notification channel for stored log entries. Never change it, since two versions may run at once. */
export const CHANNEL = 'plugin_config_log';

/** The payload of a notification is limited to 8,000 bytes. */
const IDS_MAX = 350;
const MANY_IDS = 'many';

/** SQL that notifies the listeners of these record ids (a `bigint[]`) on commit. PostgreSQL serializes such commits. */
export function notifyListeners(ids: string): string {
  const payload = `case when cardinality(${ids}) > ${IDS_MAX} then '${MANY_IDS}' else array_to_string(${ids}, ',') end`;
  return `pg_notify('${CHANNEL}', ${payload})`;
}

export function idsIn(payload: string): readonly number[] | 'all' {
  return payload === MANY_IDS ? 'all' : payload.split(',').map(Number);
}
