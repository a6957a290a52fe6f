import { baseOf } from '../http/base-of.ts';
import { keyOf } from '../http/key-of.ts';
import { PluginConfigError } from '../http/error.ts';
import type { IngestReport } from '../wire/message.ts';
import { lineWriter, type Message } from './line.ts';
import { bytesOf, lineQueue } from './line-queue.ts';
import { loggerOf, type Logger, type LoggerFields } from './logger.ts';
import { postBatch } from './post-batch.ts';
import { conditions } from './conditions.ts';

export interface LogSenderOptions {
  /** The address of the worker, such as `https://ingest.example.com`. */
  readonly url: string;
  /** A key with the scope `plugin_log:write`. */
  readonly key: string;
  /** The lines of a full batch, which is sent at once: 5,000 by default. */
  readonly batchLines?: number | undefined;
  /** The bytes of a full batch before compression: 1 MiB by default. */
  readonly batchBytes?: number | undefined;
  /** How long the first line of a batch waits for others: 200 ms by default. */
  readonly lingerMs?: number | undefined;
  /** While more bytes than this are not stored yet, `send` waits; at twice as many it rejects. 8 MiB by default. */
  readonly maxBytes?: number | undefined;
  /** The time for each attempt to send a batch: 30,000 ms by default. */
  readonly timeoutMs?: number | undefined;
  /** Gets the error of each failed attempt. The sender tries again unless it ends. */
  readonly onError?: ((error: PluginConfigError) => void) | undefined;
  readonly fetch?: typeof fetch | undefined;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends messages to the ingestion in their order, one batch after the other. Tries again while the service is out of reach.
 * A permanent rejection, such as of a revoked key, ends the sender: every later call rejects with that error.
 */
export interface LogSender {
  /** Takes a message, and resolves when there is room for more. The signal only ends the wait. */
  send(message: Message, options?: SendOptions): Promise<void>;
  logger(pluginConfigId: number, fields?: LoggerFields): Logger;
  /** Resolves when all messages taken so far are stored, to the outcomes of all messages since the start. */
  flush(options?: SendOptions): Promise<IngestReport>;
  /** Takes no more messages, and flushes. The signal gives up what is not stored yet. */
  close(options?: SendOptions): Promise<IngestReport>;
}

/** The ingestion makes a longer line a dead letter without reading it. */
const LINE_MAX = 1_048_576;

export function logSender(options: LogSenderOptions): LogSender {
  const { batchLines = 5_000, batchBytes = 1_048_576, lingerMs = 200, maxBytes = 8_388_608 } = options;
  const { url, key, fetch = globalThis.fetch, timeoutMs = 30_000, onError = () => {} } = options;
  const target = { url: baseOf(url), key: keyOf(key), fetch, timeoutMs, onError };
  const lineOf = lineWriter();
  const queue = lineQueue({ lines: batchLines, bytes: batchBytes });
  const waits = conditions();
  const givingUp = new AbortController();

  let report: IngestReport = { stored: 0, duplicates: 0, dead: 0 };
  let taken = 0;
  let done = 0;
  let urgentUpTo = 0;
  let unstoredBytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasLingered = false;
  let isSending = false;
  let isClosed = false;

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
        report = sum(report, await postBatch(target, batch, givingUp.signal));
        done += batch.length;
        unstoredBytes -= bytesOf(batch);
        waits.check();
      }
    } catch (error) {
      queue.clear();
      waits.fail(error);
    }
    isSending = false;
    wake();
  };

  const send = async (message: Message, { signal }: SendOptions = {}): Promise<void> => {
    waits.throwIfFailed();
    if (isClosed) throw rejection('sender_closed', 'The sender is closed.');
    const line = lineOf(message);
    if (line.byteLength > LINE_MAX) {
      throw rejection(
        'message_too_large',
        `The message takes ${line.byteLength} bytes; send at most ${LINE_MAX}.`,
      );
    }
    if (unstoredBytes > maxBytes && unstoredBytes + line.byteLength > 2 * maxBytes) {
      throw rejection('sender_full', 'Too much is not stored yet. Wait for each call, or raise maxBytes.');
    }
    queue.add(line);
    taken++;
    unstoredBytes += line.byteLength;
    wake();
    await waits.until(() => unstoredBytes <= maxBytes, signal);
  };

  const flush = async ({ signal }: SendOptions = {}): Promise<IngestReport> => {
    const upTo = taken;
    urgentUpTo = taken;
    wake();
    await waits.until(() => done >= upTo, signal);
    return report;
  };

  const close = async ({ signal }: SendOptions = {}): Promise<IngestReport> => {
    isClosed = true;
    const giveUp = (): void => givingUp.abort(signal?.reason);
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    return flush();
  };

  const sendHandled: LogSender['send'] = (message, own) => handled(send(message, own));
  return {
    send: sendHandled,
    logger: (pluginConfigId, fields = {}) => loggerOf(sendHandled, pluginConfigId, fields),
    flush,
    close,
  };
}

/** Prevents an unhandled rejection if the caller does not await a message: `flush` reports the failure, too. */
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

function sum(a: IngestReport, b: IngestReport): IngestReport {
  return { stored: a.stored + b.stored, duplicates: a.duplicates + b.duplicates, dead: a.dead + b.dead };
}
