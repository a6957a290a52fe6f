import { activeSpan, isTracing, type Span } from '@plugin-config/tracing';
import { pino, type DestinationStream, type Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

const TOKENS = /phx_[0-9A-Za-z]{8,}/g;
const CREDENTIALS = /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*):[^\s@"]*@/gi;

const CAUSES_MAX = 5;

/** Creates a logger that writes one JSON object per line, redacts keys and passwords, and adds the id of the active trace. */
export function structuredLogger(service: string, level: LogLevel, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: withoutSecrets },
      ...(isTracing() && { mixin: () => traceFields(activeSpan()) }),
    },
    destination,
  );
}

/** Returns the fields of a span for a log line. */
export function traceFields(span: Span | null): { readonly trace_id?: string } {
  return span === null ? {} : { trace_id: span.spanContext().traceId };
}

function withoutSecrets(line: string): string {
  // A fast check, because hardly any line contains secrets.
  if (!line.includes('phx_') && !line.includes('://')) return line;
  return line.replace(TOKENS, 'phx_[redacted]').replace(CREDENTIALS, '$1:[redacted]@');
}

interface DescribedError {
  readonly type: string;
  readonly code?: unknown;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError;
}

/** Returns the fields of an error for the log. Omits other properties, in which drivers store query parameters. */
function describeError(error: unknown, causes = CAUSES_MAX): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    ...('code' in error && { code: error.code }),
    message,
    stack,
    ...(cause !== undefined && causes > 0 && { cause: describeError(cause, causes - 1) }),
  };
}
