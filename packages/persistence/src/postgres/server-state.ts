import type pg from 'pg';

export interface ServerState {
  /** The system identifier of the database cluster, which its standbys share. */
  readonly system: string;
  /** Incremented by each promotion of a standby; 0 while the server is a standby. */
  readonly pgTimeline: number;
  readonly startedAt: string;
  readonly isWritable: boolean;
  /**
   * Identifies the commits of this database on this timeline. The first process stores a random id in the database, so two
   * servers that were promoted to timelines with the same number have different ids. Empty if the server is a standby, or if
   * the database is not migrated.
   */
  readonly timelineId: string;
}

/** The key of the timeline id. A database restored from a dump has a different oid, or is in a different cluster. */
const KEY = `s.system_identifier, (select oid from pg_database where datname = current_database()), t.timeline`;

/**
 * The state of the server, which any role may read. The timeline comes from the current WAL position, since
 * `pg_control_checkpoint` returns that of the last checkpoint, which may be older than the promotion.
 */
const SERVER = `pg_control_system() s cross join lateral (
  select case when pg_is_in_recovery() then 0
    else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline
) t`;

const stateWith = (timelineId: string): string => `select s.system_identifier::text as system, t.timeline,
  extract(epoch from pg_postmaster_start_time())::text as started_at,
  current_setting('transaction_read_only') as read_only, ${timelineId} as timeline_id
from ${SERVER}`;

const STATE = stateWith(
  `(select l.token from timeline l where (l.system, l.database, l.timeline) = (${KEY}))`,
);
const STATE_WITHOUT_TIMELINE = stateWith('null');

/** Does not wait for a standby: a standby that is promoted without the row starts a new timeline anyway. */
const ADD_TIMELINE = `set local synchronous_commit = local;
insert into timeline as l (system, database, timeline, token)
select ${KEY}, left(gen_random_uuid()::text, 8) from ${SERVER}
on conflict on constraint timeline_pkey do update set token = l.token
returning l.token as timeline_id`;

interface Row {
  readonly system: string;
  readonly timeline: number;
  readonly started_at: string;
  readonly read_only: 'on' | 'off';
  readonly timeline_id: string | null;
}

interface Options {
  readonly settings: readonly string[];
  readonly timeoutMs: number;
}

/** Applies settings and reads the state in one round trip. The first process on a timeline also stores its id. */
export async function readServerState(
  client: pg.ClientBase,
  { settings, timeoutMs }: Options,
): Promise<ServerState> {
  const query = async (...texts: readonly string[]): Promise<Row | undefined> => {
    const statements = { text: texts.join('; '), query_timeout: timeoutMs };
    return [await client.query<Row>(statements)].flat().at(-1)?.rows[0];
  };
  const row = await ifTableMissing(query(...settings, STATE), () =>
    query(...settings, STATE_WITHOUT_TIMELINE),
  );
  if (row === undefined) throw new Error('The server did not return its state.');
  const isWritable = row.read_only === 'off';
  const add = () => ifTableMissing(query(ADD_TIMELINE), async () => undefined);
  const timelineId = row.timeline_id ?? (isWritable ? (await add())?.timeline_id : null) ?? '';
  return { system: row.system, pgTimeline: row.timeline, startedAt: row.started_at, isWritable, timelineId };
}

const UNDEFINED_TABLE = '42P01';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Falls back if the table, or the right to use it, is missing. The checks at the start of an app report both. */
async function ifTableMissing<T>(work: Promise<T>, fallback: () => Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== UNDEFINED_TABLE && code !== INSUFFICIENT_PRIVILEGE) throw error;
    return fallback();
  }
}

/** Returns whether the states are of the same server without a restart in between. */
export function isSameServer(one: ServerState, other: ServerState): boolean {
  return (
    one.system === other.system && one.pgTimeline === other.pgTimeline && one.startedAt === other.startedAt
  );
}

/** Returns whether the servers have the same commits, except for commits lost in a crash. */
export function isSameTimeline(one: ServerState, other: ServerState): boolean {
  const isUnknown = one.timelineId === '' || other.timelineId === '';
  return (
    one.system === other.system &&
    one.pgTimeline === other.pgTimeline &&
    (isUnknown || one.timelineId === other.timelineId)
  );
}

/**
 * Returns why a process must not move from the previous server to this one; null if it may. The same server is always accepted:
 * if its timeline id has changed, its database was restored.
 */
export function rejectionReason(state: ServerState, previous: ServerState): string | null {
  if (state.system !== previous.system) return 'belongs to another database cluster';
  if (state.pgTimeline < previous.pgTimeline)
    return state.pgTimeline === 0 ? 'is a standby' : 'is a primary from before the failover';
  if (
    state.pgTimeline > previous.pgTimeline ||
    isSameServer(state, previous) ||
    isSameTimeline(state, previous)
  )
    return null;
  return 'was promoted to the same timeline number as the primary, but separately';
}
