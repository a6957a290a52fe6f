import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { SeverityNumber } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, type LogRecordExporter, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { OtlpEncoding } from '../sources/otlp/otlp-response.ts';

/** Returns the log records that the SDK creates for these messages, a millisecond apart. */
export function sdkRecords(recordId: number, messages: readonly string[]): readonly ReadableLogRecord[] {
  const records: ReadableLogRecord[] = [];
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tests', 'plugin_config.id': recordId }),
    processors: [
      {
        onEmit: (record) => void records.push(record),
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
    ],
  });
  const logger = provider.getLogger('tests');
  const start = Date.now() - messages.length;
  for (const [at, body] of messages.entries()) {
    logger.emit({ body, timestamp: new Date(start + at), severityNumber: SeverityNumber.ERROR });
  }
  return records;
}

/** Creates an exporter of the SDK, which retries up to five times. */
export function sdkExporter(encoding: OtlpEncoding, url: string, token: string): LogRecordExporter {
  const options = {
    url: `${url}/v1/logs`,
    headers: { authorization: `Bearer ${token}` },
    timeoutMillis: 60_000,
  };
  return encoding === 'json' ? new JsonExporter(options) : new ProtobufExporter(options);
}

/** Resolves to the error of an export; undefined if it succeeded. */
export function exported(
  exporter: LogRecordExporter,
  records: readonly ReadableLogRecord[],
): Promise<Error | undefined> {
  return new Promise((resolve) => {
    exporter.export([...records], ({ code, error }) =>
      resolve(code === ExportResultCode.SUCCESS ? undefined : (error ?? new Error('failed'))),
    );
  });
}
