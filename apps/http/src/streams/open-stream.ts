import type { ServerResponse } from 'node:http';
import type { WireEnd } from '@plugin-config/contract';
import type { KeyGrant } from '@plugin-config/domain';
import type { Reservation } from '@plugin-config/flow';
import { bytesOf, type StreamPart } from './stream-event.ts';

const COMMENT = ': \n\n';

interface Options {
  readonly response: ServerResponse;
  readonly key: KeyGrant;
  /** When the session that opened the stream ends at the latest; null if a key opened it. */
  readonly sessionEndsAt: Date | null;
  /** Counts the streams; decides in which second the stream gets its comments. */
  readonly number: number;
  /** Bounds the memory of what the reader has not taken yet. */
  readonly reserve: () => Reservation;
}

/** One stream that a caller follows. A class, because thousands of them are open, and closures would take more memory. */
export class OpenStream {
  readonly key: KeyGrant;
  readonly sessionEndsAt: Date | null;
  readonly number: number;
  readonly #response: ServerResponse;
  readonly #reserve: Options['reserve'];
  readonly #ending = new AbortController();
  #reason: WireEnd['reason'] | null = null;
  #events = 0;

  constructor({ response, key, sessionEndsAt, number, reserve }: Options) {
    this.#response = response;
    this.key = key;
    this.sessionEndsAt = sessionEndsAt;
    this.number = number;
    this.#reserve = reserve;
  }

  /** Aborted when either side ends the stream. */
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

  /** Writes a part, and resolves when the reader can take the next one. Ends the stream if the part does not fit. */
  async send(part: StreamPart): Promise<void> {
    if (part.length === 0 || this.signal.aborted) return;
    const bytes = bytesOf(part);
    const reserved = this.#reserve();
    if (reserved.take(bytes.length) !== 'granted') return this.end('slow_reader');
    for (const { event } of part) if (event !== undefined) this.#events++;
    if (!this.#response.write(bytes)) await untilTaken(this.#response);
    reserved.release();
  }

  /** Keeps the connection alive. What waits for the reader does that as well. */
  comment(): void {
    if (!this.signal.aborted && !this.#response.writableNeedDrain) this.#response.write(COMMENT);
  }

  /** Sends the last event. Safe to repeat. */
  end(reason: WireEnd['reason'], retryMs?: number): void {
    if (this.signal.aborted) return;
    this.#reason = reason;
    const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.#response.end(`${retry}event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#ending.abort();
  }

  /** Ends the work for a stream whose connection is gone. */
  close(): void {
    this.#ending.abort();
  }
}

/** Also after the end of the stream, what is not taken yet is in memory. */
function untilTaken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
