export type Settings = Readonly<Record<string, string | number>>;

const NOT_DURABLE: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Settings of the server. `durable: false` is for data that may be lost in a crash of the machine, as in tests. */
export function serverSettings(port: number, durable: boolean, more: Settings = {}): Settings {
  return {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(durable ? {} : NOT_DURABLE),
    ...more,
  };
}
