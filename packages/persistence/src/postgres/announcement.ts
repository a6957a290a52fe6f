import type { WakeUpChannel } from '@plugin-config/domain';

/** The notification channels of PostgreSQL. Processes of two versions share them. */
export const CHANNELS: Readonly<Record<WakeUpChannel, string>> = {
  log: 'plugin_config_log',
  family: 'plugin_config_family',
};

/** A notification holds at most 8,000 bytes. */
const IDS_MAX = 350;
const MANY_IDS = 'many';

/**
 * The SQL that announces ids, a `bigint[]`, when its transaction commits. Transactions that announce something commit
 * one after the other.
 */
export function announcement(channel: WakeUpChannel, ids: string): string {
  const payload = `case when cardinality(${ids}) > ${IDS_MAX} then '${MANY_IDS}' else array_to_string(${ids}, ',') end`;
  return `pg_notify('${CHANNELS[channel]}', ${payload})`;
}

/** The ids of an announcement. */
export function idsIn(payload: string): readonly number[] | 'all' {
  return payload === MANY_IDS ? 'all' : payload.split(',').map(Number);
}
