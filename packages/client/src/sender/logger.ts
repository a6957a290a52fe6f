import type { LogMessage } from '../wire.ts';

type Log = (message: string) => Promise<void>;

/** Writes to the log of one plugin config. Calls resolve when there is room for more. */
export interface Logger {
  readonly debug: Log;
  readonly log: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

/** The fields of all messages of a logger. */
export type LoggerFields = Pick<LogMessage, 'source' | 'instance_id'>;

export function loggerOf(
  send: (message: LogMessage) => Promise<void>,
  pluginConfigId: number,
  fields: LoggerFields,
): Logger {
  const write = (type: string): Log => {
    return (message) => send({ ...fields, plugin_config_id: pluginConfigId, type, message });
  };
  return {
    debug: write('DEBUG'),
    log: write('LOG'),
    info: write('INFO'),
    warn: write('WARN'),
    error: write('ERROR'),
  };
}
