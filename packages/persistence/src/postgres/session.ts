/** How long anything may take before it is given up, in milliseconds. */
export const CONNECT_TIMEOUT = 2_000;
const LOCK_TIMEOUT = 3_000;
/** A transaction whose owner froze must not hold its locks for long. */
const IDLE_IN_TRANSACTION_TIMEOUT = 5_000;

/**
 * What every connection is set to. Prepared statements are planned once, for any parameters and however few rows
 * a table had at that moment: hence no plan that only suits small tables.
 */
export function session(patienceMs: number): string {
  return [
    `set statement_timeout = ${patienceMs}`,
    `set lock_timeout = ${Math.min(LOCK_TIMEOUT, Math.floor(patienceMs / 2))}`,
    `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT}`,
    `set timezone = 'UTC'`,
    `set datestyle = 'ISO'`,
    `set plan_cache_mode = force_generic_plan`,
    `set enable_seqscan = off`,
    `set jit = off`,
  ].join('; ');
}
