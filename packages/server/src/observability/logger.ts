import { pino, type DestinationStream, type Logger } from 'pino';
import { describeError } from './describe-error.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

const TOKENS = /phx_[0-9A-Za-z]{8,}/g;
const CREDENTIALS = /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*):[^\s@"]*@/gi;

/** Makes a logger that writes one JSON object a line, and redacts keys and passwords wherever they occur. */
export function structuredLogger(service: string, level: LogLevel, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: withoutSecrets },
    },
    destination,
  );
}

function withoutSecrets(line: string): string {
  return line.replace(TOKENS, 'phx_[redacted]').replace(CREDENTIALS, '$1:[redacted]@');
}
