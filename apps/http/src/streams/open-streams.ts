import { END_REASONS } from '@plugin-config/contract';
import { DomainError } from '@plugin-config/domain';
import type { Reservation } from '@plugin-config/flow';
import { turns } from '@plugin-config/flow/node';
import { accessOf, accountOf, endSpanOf, type Gate } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { OpenStream, pumpParts, type StartParts } from './open-stream.ts';
import type { WatchedKeys } from './watched-keys.ts';

const COMMENT_SECONDS = 15;
const TICK_MS = 1000;
/** How many streams are opened before other events are handled: thousands of callers reconnect at once after a restart. */
const OPENED_PER_TURN = 20;
/** Spreads the reconnects of callers after a shutdown. */
const RETRY = { firstMs: 500, spreadMs: 2000, stepMs: 37 };

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

interface Dependencies {
  readonly keys: WatchedKeys;
  readonly logger: Logger;
  /** Limits the number of open streams, and the memory of unsent events. */
  readonly gate: Pick<Gate, 'streams' | 'memory'>;
  /** The interval between two keep-alive comments on a stream. Defaults to 15. */
  readonly commentSeconds?: number;
}

/** All streams of the process. They share one timer for their comments. */
export interface OpenStreams {
  readonly open: number;
  readonly events: number;
  /** The number of ended streams by reason. */
  readonly ends: ReadonlyMap<string, number>;
  /**
   * Prepares a stream and starts the response.
   * @throws DomainError `throttled` or `busy` if too many streams are open, or the connection has a pending response
   */
  serve(request: FastifyRequest, reply: FastifyReply, prepare: () => Promise<StartParts>): Promise<void>;
  /** Ends all streams, and rejects new streams. */
  shutDown(): void;
}

export function openStreams({
  keys,
  logger,
  gate,
  commentSeconds = COMMENT_SECONDS,
}: Dependencies): OpenStreams {
  const streams = new Set<OpenStream>();
  const ends = new Map<string, number>(['closed', ...END_REASONS].map((reason) => [reason, 0]));
  let eventsOfEnded = 0;
  let opened = 0;
  let isShutDown = false;
  const turn = turns(OPENED_PER_TURN);
  let timer: NodeJS.Timeout | null = null;

  const takePermit = (account: number): Reservation => {
    if (isShutDown) throw tooManyStreams();
    const permit = gate.streams.reservation(account);
    const result = permit.take(1);
    if (result === 'granted') return permit;
    throw result === 'share exceeded' ? tooManyStreamsOfAccount() : tooManyStreams();
  };
  const add = (stream: OpenStream): void => {
    streams.add(stream);
    keys.add(stream);
    timer ??= setInterval(ticker(), TICK_MS);
  };
  const remove = (stream: OpenStream): void => {
    stream.close();
    streams.delete(stream);
    keys.remove(stream);
    eventsOfEnded += stream.events;
    ends.set(stream.endedBy, (ends.get(stream.endedBy) ?? 0) + 1);
    if (streams.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  /** Returns false if there is nothing to stream. */
  const begin = (
    request: FastifyRequest,
    reply: FastifyReply,
    startParts: StartParts,
    permit: Reservation,
  ): boolean => {
    const { key, endsAt, projectId } = accessOf(request);
    const response = reply.hijack().raw;
    // If the caller disconnected during the preparation, no `close` event would remove the stream.
    if (response.destroyed) return false;
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS }))
      if (value !== undefined) response.setHeader(name, value);
    if (request.method === 'HEAD') {
      response.end();
      return false;
    }
    response.flushHeaders();
    // Later reads are shared by streams and continue for hours, so they are not part of the span.
    endSpanOf(request, response.statusCode);
    const account = accountOf(request);
    const reserve = () => gate.memory.reservation(account);
    const stream = new OpenStream({ response, key, endsAt, projectId, number: opened++, reserve });
    request.stream = stream;
    add(stream);
    response.once('close', () => {
      permit.release();
      remove(stream);
    });
    void pumpParts({ logger }, stream, startParts);
    return true;
  };
  const ticker = (): (() => void) => {
    let ticks = 0;
    return () => {
      ticks++;
      for (const stream of streams)
        if (stream.number % commentSeconds === ticks % commentSeconds) stream.comment();
    };
  };

  return {
    get open() {
      return streams.size;
    },
    get events() {
      return streams.values().reduce((sum, stream) => sum + stream.events, eventsOfEnded);
    },
    ends,
    async serve(request, reply, prepare) {
      rejectIfPipelined(reply);
      const permit = takePermit(accountOf(request));
      let isOpen = false;
      try {
        const startParts = await prepare();
        await turn();
        if (isShutDown) throw tooManyStreams();
        isOpen = begin(request, reply, startParts, permit);
      } finally {
        if (!isOpen) permit.release();
      }
    },
    shutDown() {
      isShutDown = true;
      for (const stream of streams) stream.end('shutdown', retryMs(stream));
    },
  };
}

/** Responses to pipelined requests are sent in order, so a stream would block all later responses. */
function rejectIfPipelined({ raw: { destroyed, socket } }: FastifyReply): void {
  if (destroyed || socket !== null) return;
  const detail = 'The connection has a pending response. Open the stream on a separate connection.';
  throw new DomainError('busy', detail, { retryAfterSeconds: 1 });
}

function retryMs({ number }: OpenStream): number {
  return RETRY.firstMs + ((number * RETRY.stepMs) % RETRY.spreadMs);
}

function tooManyStreamsOfAccount(): DomainError {
  const detail = 'This account has too many open streams. Close one first.';
  return new DomainError('throttled', detail, { retryAfterSeconds: 15 });
}

function tooManyStreams(): DomainError {
  return new DomainError('busy', 'Too many streams are open. Try again later.', { retryAfterSeconds: 5 });
}
