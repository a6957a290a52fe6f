import { normaliseKey, normaliseUrl } from '../calls/request.ts';
import { PluginConfigError } from '../http/error.ts';
import { unlessAborted } from '../http/retry.ts';
import type { IngestReport } from '../wire.ts';
import { lineWriter, type Message } from './line.ts';
import { bytesOf, lineQueue } from './line-queue.ts';
import { loggerOf, type Logger, type LoggerFields } from './logger.ts';
import { postBatch } from './post-batch.ts';

export interface LogSenderOptions {
  /** The URL of the worker, such as `https://ingest.example.com`. */
  readonly url: string;
  /** A key with the scope `plugin_log:write`. */
  readonly key: string;
  /** The number of lines at which a batch is sent immediately. Defaults to 5,000. */
  readonly batchLines?: number | undefined;
  /** The number of bytes, before compression, at which a batch is sent immediately. Defaults to 1 MiB. */
  readonly batchBytes?: number | undefined;
  /** How long the first line of a batch waits for more. Defaults to 200 ms. */
  readonly lingerMs?: number | undefined;
  /** `send` waits while more bytes than this are not stored yet, and rejects at twice as many. Defaults to 8 MiB. */
  readonly maxBytes?: number | undefined;
  /** The timeout of each attempt to send a batch. Defaults to 30,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Called with the error of each failed attempt. The sender retries unless the error is permanent. */
  readonly onError?: ((error: PluginConfigError) => void) | undefined;
  readonly fetch?: typeof fetch | undefined;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends messages to the worker in order, one batch at a time. Retries while the service is unavailable. A permanent error, such as a
 * revoked key, ends the sender: all later calls reject with it.
 */
export interface LogSender {
  /** Queues a message, and resolves when there is room for more. The signal only ends the wait. */
  send(message: Message, options?: SendOptions): Promise<void>;
  logger(pluginConfigId: number, fields?: LoggerFields): Logger;
  /** Resolves when all messages so far are stored. Returns the counts of all messages since the start. */
  flush(options?: SendOptions): Promise<IngestReport>;
  /** Flushes, and rejects further messages. The signal gives up on unstored messages. */
  close(options?: SendOptions): Promise<IngestReport>;
}

/** The service turns longer lines into dead letters without parsing them. */
const LINE_MAX = 1_048_576;

export function logSender(options: LogSenderOptions): LogSender {
  const { batchLines = 5_000, batchBytes = 1_048_576, lingerMs = 200, maxBytes = 8_388_608 } = options;
  const { url, key, fetch = globalThis.fetch, timeoutMs = 30_000, onError = () => {} } = options;
  const target = { url: normaliseUrl(url), key: normaliseKey(key), fetch, timeoutMs, onError };
  const lineOf = lineWriter();
  const queue = lineQueue({ lines: batchLines, bytes: batchBytes });
  const abandoning = new AbortController();
  const failing = new AbortController();

  let report: IngestReport = { stored: 0, duplicates: 0, dead: 0 };
  let queued = 0;
  let done = 0;
  let urgentUpTo = 0;
  let unstoredBytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasLingered = false;
  let isSending = false;
  let isClosed = false;
  let endWaits = (): void => {};
  const nextProgress = (): Promise<void> => new Promise((resolve) => (endWaits = resolve));
  let progress = nextProgress();

  /** Makes all waits recheck their conditions. */
  const advance = (): void => {
    endWaits();
    progress = nextProgress();
  };

  const until = async (isMet: () => boolean, signal: AbortSignal | undefined): Promise<void> => {
    for (;;) {
      failing.signal.throwIfAborted();
      if (isMet()) return;
      await unlessAborted(progress, signal);
    }
  };

  const isBatchDue = (): boolean =>
    !queue.isEmpty() && (hasLingered || done < urgentUpTo || queue.isBatchFull());

  const wake = (): void => {
    if (!isBatchDue()) {
      if (!queue.isEmpty()) timer ??= setTimeout(linger, lingerMs);
    } else if (!isSending) void sendBatches();
  };

  const linger = (): void => {
    hasLingered = true;
    wake();
  };

  const sendBatches = async (): Promise<void> => {
    isSending = true;
    try {
      while (isBatchDue()) {
        const batch = queue.take();
        clearTimeout(timer);
        timer = undefined;
        hasLingered = false;
        report = sum(report, await postBatch(target, batch, abandoning.signal), done);
        done += batch.length;
        unstoredBytes -= bytesOf(batch);
        advance();
      }
    } catch (error) {
      queue.clear();
      failing.abort(error);
      advance();
    }
    isSending = false;
    wake();
  };

  const send = async (message: Message, { signal }: SendOptions = {}): Promise<void> => {
    failing.signal.throwIfAborted();
    if (isClosed) throw rejection('sender_closed', 'The sender is closed.');
    const line = lineOf(message);
    if (line.byteLength > LINE_MAX) {
      throw rejection(
        'message_too_large',
        `The message has ${line.byteLength} bytes. The maximum is ${LINE_MAX}.`,
      );
    }
    if (unstoredBytes > maxBytes && unstoredBytes + line.byteLength > 2 * maxBytes) {
      throw rejection(
        'sender_full',
        'Too many bytes are not stored yet. Await each call, or raise maxBytes.',
      );
    }
    queue.add(line);
    queued++;
    unstoredBytes += line.byteLength;
    wake();
    await until(() => unstoredBytes <= maxBytes, signal);
  };

  const flush = async ({ signal }: SendOptions = {}): Promise<IngestReport> => {
    const upTo = queued;
    urgentUpTo = queued;
    wake();
    await until(() => done >= upTo, signal);
    return report;
  };

  const close = async ({ signal }: SendOptions = {}): Promise<IngestReport> => {
    isClosed = true;
    const abandon = (): void => abandoning.abort(signal?.reason);
    if (signal?.aborted === true) abandon();
    signal?.addEventListener('abort', abandon, { once: true });
    return flush();
  };

  const sendHandled: LogSender['send'] = (message, sendOptions) => handled(send(message, sendOptions));
  return {
    send: sendHandled,
    logger: (pluginConfigId, fields = {}) => loggerOf(sendHandled, pluginConfigId, fields),
    flush,
    close,
  };
}

/** Prevents an unhandled rejection if the caller does not await the promise. `flush` reports the failure as well. */
function handled(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}

function rejection(
  code: 'sender_closed' | 'sender_full' | 'message_too_large',
  detail: string,
): PluginConfigError {
  return new PluginConfigError('A message was not sent', { code, detail });
}

const ERRORS_MAX = 100;

/** Adds the report of a batch. Its lines are counted from the first message of the sender, after `sent` others. */
function sum(a: IngestReport, b: IngestReport, sent: number): IngestReport {
  const later = b.errors?.map((error) => ({ ...error, line: sent + error.line })) ?? [];
  const errors = [...(a.errors ?? []), ...later].slice(0, ERRORS_MAX);
  return {
    stored: a.stored + b.stored,
    duplicates: a.duplicates + b.duplicates,
    dead: a.dead + b.dead,
    ...(errors.length > 0 && { errors }),
  };
}
