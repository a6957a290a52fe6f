import { randomUUID } from 'node:crypto';
import { ClickHouseLogLevel, createClient, type ClickHouseSettings } from '@clickhouse/client';
import { traced } from '@plugin-config/tracing';
import { onCluster } from './names.ts';
import { translated } from './translate-error.ts';

export interface ClickHouseOptions {
  /** The address, with credentials and with the database as its path. */
  readonly url: string;
  /** The name of the cluster that the tables are on; null for a single server. */
  readonly cluster: string | null;
  /** The name that the server shows for each query. */
  readonly applicationName?: string;
}

export interface Limits {
  /** The server ends the query after this time. */
  readonly timeLimitMs: number;
  /** Ends the query when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

type Parameters = Readonly<Record<string, string | number | readonly string[]>>;

/** The cells of a row in the order of the columns. */
export type Row = readonly unknown[];

export interface QueryCounts {
  readonly running: number;
  /** The number of queries that have failed since startup, not counting those whose caller disconnected. */
  readonly failed: number;
}

export interface ClickHouse {
  readonly counts: QueryCounts;
  readonly cluster: string | null;
  /** Reads rows. @throws DomainError `unavailable` */
  select(text: string, parameters: Parameters, limits: Limits): Promise<readonly Row[]>;
  /** Inserts rows. If it fails, some may be stored. @throws DomainError `unavailable` */
  insert(
    table: string,
    columns: readonly [string, ...string[]],
    rows: readonly Row[],
    limits: Limits,
  ): Promise<void>;
  /** Runs a statement without a result. @throws DomainError `unavailable` */
  command(text: string, limits: Limits): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS = 16;
/** Gives the server time to report its own timeout first. */
const GRACE_MS = 2_000;

/** `wait_end_of_query` delays the response until the query has ended, so an error never follows partial rows. */
const SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  async_insert: 0,
  max_partitions_per_insert_block: '0',
  insert_quorum: 'auto',
  distributed_foreground_insert: 1,
  optimize_skip_unused_shards: 1,
  do_not_merge_across_partitions_select_final: 1,
  max_query_size: String(16 * 1024 * 1024),
  max_memory_usage: String(1024 * 1024 * 1024),
};

/** Creates a client of the server. It connects on demand, and reconnects after a failure. */
export function openClickHouse({ url, cluster, applicationName }: ClickHouseOptions): ClickHouse {
  const client = createClient({
    url,
    ...(applicationName !== undefined && { application: applicationName }),
    max_open_connections: CONNECTIONS,
    use_multipart_params_auto: true,
    // The log of the client would contain the values of queries.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: SETTINGS,
  });
  const within = ({ timeLimitMs, signal }: Limits) => {
    const late = AbortSignal.timeout(timeLimitMs + GRACE_MS);
    return {
      query_id: randomUUID(),
      abort_signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      clickhouse_settings: { max_execution_time: timeLimitMs / 1000 },
    };
  };
  /** Kills a query on the server, since aborting the request does not stop it. */
  const killQuery = (id: string): void => {
    const query = `kill query${onCluster(cluster)} where query_id = '${id}' async`;
    client.command({ query, abort_signal: AbortSignal.timeout(GRACE_MS) }).catch(() => undefined);
  };
  const counts = { running: 0, failed: 0 };
  const counted = async <T>(kind: Kind, { signal }: Limits, work: () => Promise<T>): Promise<T> => {
    counts.running++;
    try {
      return await tracedQuery(kind, work);
    } catch (error) {
      if (signal?.aborted !== true) counts.failed++;
      throw error;
    } finally {
      counts.running--;
    }
  };
  return {
    counts,
    cluster,
    select: (query, parameters, limits) =>
      counted('select', limits, async () => {
        const options = within(limits);
        const kill = (): void => killQuery(options.query_id);
        options.abort_signal.addEventListener('abort', kill);
        try {
          const query_params = { ...parameters };
          const result = await client.query({
            query,
            query_params,
            format: 'JSONCompactEachRow',
            ...options,
          });
          return await result.json<Row>();
        } finally {
          options.abort_signal.removeEventListener('abort', kill);
        }
      }),
    insert: (table, columns, values, limits) =>
      counted('insert', limits, async () => {
        const into = { table, columns: [...columns] as [string, ...string[]] };
        await client.insert({ ...into, values, format: 'JSONCompactEachRow', ...within(limits) });
      }),
    command: (query, limits) =>
      counted('command', limits, async () => void (await client.command({ query, ...within(limits) }))),
    close: () => client.close(),
  };
}

type Kind = 'select' | 'insert' | 'command';

/** Runs a query, in a span if it is part of a trace. The span contains neither the text nor the values of the query. */
function tracedQuery<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
  const attributes = { 'db.system.name': 'clickhouse', 'db.query.summary': kind };
  return translated(traced({ name: `clickhouse ${kind}`, kind: 'client', attributes }, work));
}
