import type pg from 'pg';

/** What a server says of itself. */
export interface ServerState {
  /** The system identifier of the database cluster, which its standbys share. */
  readonly system: string;
  /** Rises with each promotion of a standby; 0 while the server is a standby. */
  readonly timeline: number;
  readonly startedAt: string;
  readonly isWritable: boolean;
}

/**
 * Any role may run it. The timeline comes from the current position in the WAL: `pg_control_checkpoint` would tell that
 * of the last checkpoint, which may be from before the promotion.
 */
const SERVER_STATE = `select system_identifier::text as system,
  case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  extract(epoch from pg_postmaster_start_time())::text as started_at,
  current_setting('transaction_read_only') as read_only
from pg_control_system()`;

interface Row {
  readonly system: string;
  readonly timeline: string;
  readonly started_at: string;
  readonly read_only: 'on' | 'off';
}

/** Asks for the state, after some settings, in one round trip. */
export async function askServerState(
  client: pg.ClientBase,
  { settings = [], timeoutMs }: { readonly settings?: readonly string[]; readonly timeoutMs: number },
): Promise<ServerState> {
  const query = { text: [...settings, SERVER_STATE].join('; '), query_timeout: timeoutMs };
  const row = [await client.query<Row>(query)].flat().at(-1)?.rows[0];
  if (row === undefined) throw new Error('The server did not say what it is.');
  return {
    system: row.system,
    timeline: Number.parseInt(row.timeline, 16),
    startedAt: row.started_at,
    isWritable: row.read_only === 'off',
  };
}

/** Whether the state is from before the other one in the same cluster: an old primary, or a standby that may lag behind. */
export function isOlder(state: ServerState, than: ServerState): boolean {
  return state.system === than.system && state.timeline < than.timeline;
}
