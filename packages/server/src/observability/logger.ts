import { activeSpan, isTracing, type Span } from '@plugin-config/tracing';
import { pino, type DestinationStream, type Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

const TOKENS = /phx_[0-9A-Za-z]{8,}/g;
const CREDENTIALS = /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*):[^\s@"]*@/gi;

const CAUSES_MAX = 5;

/**
 * Makes a logger that writes one JSON object a line, and redacts keys and passwords wherever they occur. If tracing is on,
 * a line that is written in a span has the id of its trace.
 */
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

/** The fields of a span in a line of the log. */
export function traceFields(span: Span | null): { readonly trace_id?: string } {
  return span === null ? {} : { trace_id: span.spanContext().traceId };
}

function withoutSecrets(line: string): string {
  // Nearly no line has any, and this is found out faster.
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

/** The fields of an error for the log. Leaves out other properties: drivers store query parameters there. */
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
