import type { ServerResponse } from 'node:http';
import type { WireEnd } from '@plugin-config/contract';
import type { KeyGrant } from '@plugin-config/domain';
import type { Reservation } from '@plugin-config/flow';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import { bytesOf, type StreamPart } from './stream-event.ts';

const COMMENT = ': \n\n';

interface Options {
  readonly response: ServerResponse;
  readonly key: KeyGrant;
  /** When the session that opened the stream must end; null if a key opened it. */
  readonly endsAt: Date | null;
  readonly projectId: number;
  /** Numbers the streams of the process, to spread their keep-alive comments over time. */
  readonly number: number;
  /** Reserves memory for events the reader has not received yet. */
  readonly reserve: () => Reservation;
}

/** A stream to one caller. It is a class because closures would take more memory, and thousands can be open. */
export class OpenStream {
  readonly key: KeyGrant;
  readonly endsAt: Date | null;
  readonly projectId: number;
  readonly number: number;
  readonly #response: ServerResponse;
  readonly #reserve: Options['reserve'];
  readonly #ending = new AbortController();
  #reason: WireEnd['reason'] | null = null;
  #events = 0;

  constructor({ response, key, endsAt, projectId, number, reserve }: Options) {
    this.#response = response;
    this.key = key;
    this.endsAt = endsAt;
    this.projectId = projectId;
    this.number = number;
    this.#reserve = reserve;
  }

  /** Aborts when either side ends the stream. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** The number of events sent. */
  get events(): number {
    return this.#events;
  }

  /** Why the service ended the stream, or `closed` if the caller did. */
  get endedBy(): string {
    return this.#reason ?? 'closed';
  }

  /** Writes a part and resolves when the reader is ready for the next one. Ends the stream if memory is exhausted. */
  async send(part: StreamPart): Promise<void> {
    if (part.length === 0 || this.signal.aborted) return;
    const bytes = bytesOf(part);
    const reserved = this.#reserve();
    if (reserved.take(bytes.length) !== 'granted') return this.end('slow_reader');
    for (const { event } of part) if (event !== undefined) this.#events++;
    if (!this.#response.write(bytes)) await untilDrained(this.#response);
    reserved.release();
  }

  /** Keeps the connection alive, unless unread events already do. */
  comment(): void {
    if (!this.signal.aborted && !this.#response.writableNeedDrain) this.#response.write(COMMENT);
  }

  /** Sends the last event. Later calls do nothing. */
  end(reason: WireEnd['reason'], retryMs?: number): void {
    if (this.signal.aborted) return;
    this.#reason = reason;
    const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.#response.end(`${retry}event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#ending.abort();
  }

  /** Stops the work for a stream whose connection is closed. */
  close(): void {
    this.#ending.abort();
  }
}

/** Starts the parts of a stream. They must end soon after the signal aborts. */
export type StartParts = (signal: AbortSignal) => AsyncIterable<StreamPart>;

/** Sends the parts of a stream at the pace of its reader, until either side ends it. */
export async function pumpParts(
  { logger }: { readonly logger: Logger },
  stream: OpenStream,
  startParts: StartParts,
): Promise<void> {
  try {
    for await (const part of startParts(stream.signal)) {
      await stream.send(part);
      if (stream.signal.aborted) return;
    }
    if (!stream.signal.aborted) throw new Error('The source of a stream ended before the stream did.');
  } catch (error) {
    if (stream.signal.aborted) return;
    logFailure(logger, { error, message: 'a stream failed', about: { key_id: stream.key.id } });
    stream.end('error');
  }
}

/** Waits even if the stream has ended: unread events still take memory. */
function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
