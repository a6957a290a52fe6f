import pg from 'pg';

/** In milliseconds, like the other timeouts. */
export const CONNECT_TIMEOUT = 2_000;
export const LOCK_TIMEOUT = 3_000;
/** Ends the transaction of a frozen process, which would otherwise keep its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT = 5_000;

/**
 * Returns the settings of every connection. Prepared statements are planned once, for all parameters and table sizes, so plans
 * that only fit small tables are disabled.
 */
export function sessionSettings(
  statementTimeoutMs: number,
  publicUrl: string | null = null,
): readonly string[] {
  return [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set lock_timeout = ${Math.min(LOCK_TIMEOUT, Math.floor(statementTimeoutMs / 2))}`,
    `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT}`,
    `set timezone = 'UTC'`,
    `set datestyle = 'ISO'`,
    `set bytea_output = 'hex'`,
    `set plan_cache_mode = force_generic_plan`,
    `set enable_seqscan = off`,
    `set jit = off`,
    // For the functions that create events.
    ...(publicUrl === null ? [] : [`set plugin_config.public_url = ${pg.escapeLiteral(publicUrl)}`]),
  ];
}
