import type pg from 'pg';

/** What a server says of itself. */
export interface ServerState {
  /** The system identifier of the database cluster, which its standbys share. */
  readonly system: string;
  /** Rises with each promotion of a standby; 0 while the server is a standby. */
  readonly pgTimeline: number;
  readonly startedAt: string;
  readonly isWritable: boolean;
  /**
   * Names the commits of this database on this timeline. Random, and stored in the database when the first process finds
   * none: two servers that were promoted to timelines of one number have different ones. Empty if it cannot be told: the
   * server is a standby, or the database is not migrated.
   */
  readonly timelineId: string;
}

/** The key of the timeline id. A database that is restored from a dump has another oid, or is in another cluster. */
const KEY = `s.system_identifier, (select oid from pg_database where datname = current_database()), t.timeline`;

/**
 * Any role may read it. The timeline comes from the current position in the WAL: `pg_control_checkpoint` would tell that
 * of the last checkpoint, which may be from before the promotion.
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
const STATE_ALONE = stateWith('null');

/** Does not wait for a standby: one that is promoted without the row has a timeline of its own. */
const BEGIN_TIMELINE = `set local synchronous_commit = local;
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

/** Asks for the state, after some settings, in one round trip. The first process on a timeline begins its id. */
export async function askServerState(
  client: pg.ClientBase,
  { settings, timeoutMs }: Options,
): Promise<ServerState> {
  const ask = async (...texts: readonly string[]): Promise<Row | undefined> => {
    const query = { text: texts.join('; '), query_timeout: timeoutMs };
    return [await client.query<Row>(query)].flat().at(-1)?.rows[0];
  };
  const row = await orWithoutTable(ask(...settings, STATE), () => ask(...settings, STATE_ALONE));
  if (row === undefined) throw new Error('The server did not say what it is.');
  const isWritable = row.read_only === 'off';
  const begin = () => orWithoutTable(ask(BEGIN_TIMELINE), async () => undefined);
  const timelineId = row.timeline_id ?? (isWritable ? (await begin())?.timeline_id : null) ?? '';
  return { system: row.system, pgTimeline: row.timeline, startedAt: row.started_at, isWritable, timelineId };
}

const UNDEFINED_TABLE = '42P01';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Without the table, or the right to use it, an app does not start, and says why: here, both are no error. */
async function orWithoutTable<T>(work: Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== UNDEFINED_TABLE && code !== INSUFFICIENT_PRIVILEGE) throw error;
    return otherwise();
  }
}

/** Whether the states are of one server that was not started again in between. */
export function isSameServer(one: ServerState, other: ServerState): boolean {
  return (
    one.system === other.system && one.pgTimeline === other.pgTimeline && one.startedAt === other.startedAt
  );
}

/** Whether all that was committed on the other server is there, as far as it survived. */
export function isSameTimeline(one: ServerState, other: ServerState): boolean {
  const isUnknown = one.timelineId === '' || other.timelineId === '';
  return (
    one.system === other.system &&
    one.pgTimeline === other.pgTimeline &&
    (isUnknown || one.timelineId === other.timelineId)
  );
}

/**
 * Why a process that was on one server does not follow another one; null if it does. The same server is followed whatever it
 * says: somebody has restored its database.
 */
export function rejectionReason(state: ServerState, than: ServerState): string | null {
  if (state.system !== than.system) return 'belongs to another database cluster';
  if (state.pgTimeline < than.pgTimeline)
    return state.pgTimeline === 0 ? 'is a standby' : 'is a primary from before the failover';
  if (state.pgTimeline > than.pgTimeline || isSameServer(state, than) || isSameTimeline(state, than))
    return null;
  return 'was promoted to the same timeline as the primary, apart from it';
}
